"""The examples of the pages print what they show."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", [
    ROOT / "docs" / "python.md", ROOT / "bindings" / "python" / "README.md"],
    ids=lambda page: page.name)
def test_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(
        text, {}, page.name, str(page), 0)
    assert test.examples
    runner = doctest.DocTestRunner(
        optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    output: list[str] = []
    runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
