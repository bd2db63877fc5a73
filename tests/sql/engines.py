"""Real engines behind one interface: load(name, columns, rows) and
ask(statement), which gives the answer as CSV text with the order of its rows
as it comes; subset(name, base, left_out, seed) makes a table of the rows of
another, whose first column numbers them, in another order."""
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from reference import BINARY, DECIMAL, DOUBLE, INT64, TEXT


class Skip(Exception):
    """The engine is not to be had here."""


def as_csv(rows):
    return "".join(",".join("" if x is None else str(x) for x in row) + "\n"
                   for row in rows)


def quoted(name, quote='"'):
    return quote + name.replace(quote, quote + quote) + quote


class DuckDB:
    dialect, table = "duckdb", "{}"

    def __init__(self):
        try:
            import duckdb
        except ImportError as e:
            raise Skip("the package duckdb is not installed") from e
        self.connection = duckdb.connect()

    def load(self, name, columns, rows):
        types = {TEXT: "VARCHAR", INT64: "BIGINT", DOUBLE: "DOUBLE",
                 BINARY: "BLOB"}
        made = ", ".join(
            f"{quoted(c.name)} " + (f"DECIMAL({c.precision},{c.scale})"
                                    if c.type == DECIMAL
                                    else types.get(c.type, "BIGINT"))
            for c in columns)
        self.run(f"CREATE OR REPLACE TABLE {quoted(name)} ({made})")
        marks = ", ".join("(" + ", ".join("?" * len(columns)) + ")"
                          for _ in rows)
        if rows:
            self.connection.execute(
                f"INSERT INTO {quoted(name)} VALUES {marks}",
                [x for row in rows for x in row])

    def run(self, text):
        self.connection.execute(text)

    def subset(self, name, base, left_out=(), seed=0):
        self.run(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * EXCLUDE "
                 f"(i) FROM {quoted(base)} WHERE i NOT IN "
                 f"({', '.join(map(str, [-1, *left_out]))}) "
                 f"ORDER BY md5(CAST(i + {seed} AS VARCHAR))")

    def ask(self, text):
        return as_csv(self.connection.execute(text).fetchall())

    def close(self):
        self.connection.close()


class Postgres:
    """A server in a directory of its own, on a socket there, stopped by its
    process id."""
    dialect, table = "postgres", "public.{}"

    def __init__(self):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            raise Skip("PostgreSQL (Debian's package postgresql) is not here")
        self.bin = found[-1].parent
        self.who = {}
        if os.geteuid() == 0: # the server does not run as root
            try:
                user = pwd.getpwnam("postgres")
            except KeyError as e:
                raise Skip("there is no user postgres") from e
            self.who = {"user": user.pw_uid, "group": user.pw_gid,
                        "extra_groups": []}
        self.folder = tempfile.mkdtemp(prefix="dosi-pg-")
        self.settings = ""
        if self.who:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.server = None
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self):
        data = self.folder + "/data"
        subprocess.run(
            [self.bin / "initdb", "-D", data, "-U", "test", "-A", "trust",
             "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"], check=True,
            stdout=subprocess.DEVNULL, cwd=self.folder, **self.who)
        self.server = subprocess.Popen(
            [self.bin / "postgres", "-D", data, "-k", self.folder, "-F",
             "-c", "listen_addresses="], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.who)
        for _ in range(300):
            if subprocess.run([self.bin / "pg_isready", "-q", "-h",
                               self.folder], check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise Skip("the PostgreSQL server did not start")

    def psql(self, text):
        return subprocess.run(
            [self.bin / "psql", "-XqAt", "--csv", "-v", "ON_ERROR_STOP=1",
             "-h", self.folder, "-U", "test", "-d", "postgres", "-f", "-"],
            input=text, text=True, encoding="utf-8", check=True,
            stdout=subprocess.PIPE).stdout

    @staticmethod
    def field(x):
        if x is None:
            return "\\N"
        if isinstance(x, bytes):
            return "\\\\x" + x.hex()
        if isinstance(x, (float, Decimal)):
            return repr(x) if isinstance(x, float) else str(x)
        return str(x).replace("\\", "\\\\").replace("\t", "\\t")

    def load(self, name, columns, rows):
        types = {TEXT: "text", INT64: "bigint", DOUBLE: "double precision",
                 BINARY: "bytea"}
        made = ", ".join(
            f"{quoted(c.name)} " + (f"DECIMAL({c.precision},{c.scale})"
                                    if c.type == DECIMAL
                                    else types.get(c.type, "bigint"))
            for c in columns)
        where = f"public.{quoted(name)}"
        data = "".join("\t".join(map(self.field, row)) + "\n" for row in rows)
        self.psql(f"SET client_min_messages = error;\n"
                  f"DROP TABLE IF EXISTS {where};\n"
                  f"CREATE TABLE {where} ({made});\n"
                  f"COPY {where} FROM STDIN;\n{data}\\.\n")

    def run(self, text):
        self.psql(text + ";\n")

    def subset(self, name, base, left_out=(), seed=0):
        where = f"public.{quoted(name)}"
        self.psql(f"SET client_min_messages = error;\n"
                  f"DROP TABLE IF EXISTS {where};\n"
                  f"CREATE TABLE {where} AS SELECT * FROM public."
                  f"{quoted(base)} WHERE i NOT IN "
                  f"({', '.join(map(str, [-1, *left_out]))}) "
                  f"ORDER BY md5(CAST(i + {seed} AS text));\n"
                  f"ALTER TABLE {where} DROP COLUMN i;\n")

    def ask(self, text):
        return self.psql(f"{self.settings}SET search_path = '';\n{text};\n")

    def close(self):
        if self.server is not None:
            self.server.send_signal(signal.SIGINT)
            self.server.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)


class Spark:
    dialect, table = "spark", "{}"

    def __init__(self, ansi=True, options=()):
        try:
            from pyspark.sql import SparkSession
        except ImportError as e:
            raise Skip("the package pyspark is not installed") from e
        if shutil.which("java") is None:
            raise Skip("there is no Java")
        builder = (SparkSession.builder.master("local[2,3]")
                   .config("spark.ui.enabled", "false")
                   .config("spark.speculation", "true")
                   .config("spark.driver.memory", "2g")
                   .config("spark.sql.shuffle.partitions", "3"))
        for key, value in options:
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        self.ansi(ansi)

    def ansi(self, is_on):
        self.session.conf.set("spark.sql.ansi.enabled", str(is_on).lower())

    def load(self, name, columns, rows):
        self.session.createDataFrame([tuple(r) for r in rows], self.schema(
            columns)).createOrReplaceTempView(name)

    def load_failing(self, name, columns, rows, marker):
        """Rows whose second partition fails when it is first computed."""
        def fail_once(index, part):
            if index == 1 and not os.path.exists(marker):
                with open(marker, "w", encoding="utf-8"):
                    pass
                raise RuntimeError("the first attempt fails")
            return part
        parts = self.session.sparkContext.parallelize(
            [tuple(r) for r in rows], 4).mapPartitionsWithIndex(fail_once)
        self.session.createDataFrame(parts, self.schema(
            columns)).createOrReplaceTempView(name)

    @staticmethod
    def schema(columns):
        from pyspark.sql import types as t
        types = {TEXT: t.StringType(), DOUBLE: t.DoubleType(),
                 BINARY: t.BinaryType()}
        return t.StructType([t.StructField(
            c.name, t.DecimalType(c.precision, c.scale)
            if c.type == DECIMAL else types.get(c.type, t.LongType()))
            for c in columns])

    def subset(self, name, base, left_out=(), seed=0):
        self.session.sql(
            f"SELECT * FROM {base} WHERE i NOT IN "
            f"({', '.join(map(str, [-1, *left_out]))}) "
            f"ORDER BY md5(CAST(i + {seed} AS STRING))"
        ).createOrReplaceTempView(name)

    def ask(self, text):
        return as_csv(tuple(r) for r in self.session.sql(text).collect())

    def close(self):
        self.session.stop()
