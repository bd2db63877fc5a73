"""The sdist holds what the build needs, and nothing else of the repository."""
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
NEEDED = ("include", "src", "programs", "cmake", "bindings/python/src",
          "bindings/python/native")


def test_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--no-isolation",
                    "--outdir", str(tmp_path), str(ROOT)],
                   check=True, capture_output=True)
    archive, = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        held = {name.split("/", 1)[1] for name in tar.getnames()
                if "/" in name}
    wanted = {str(path.relative_to(ROOT))
              for folder in NEEDED for path in (ROOT / folder).rglob("*")
              if path.is_file() and "__pycache__" not in path.parts}
    assert wanted - held == set()
    assert {name.split("/")[0] for name in held} <= {
        "CHANGELOG.md", "CMakeLists.txt", "CONTRIBUTING.md", "LICENSE",
        "PKG-INFO", "README.md", "bindings", "cmake", "include", "programs",
        "pyproject.toml", "src"}
    assert not [name for name in held if "/tests" in name]
