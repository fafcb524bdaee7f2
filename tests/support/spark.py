"""One session of Spark for all tests of a process."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from functools import cache
from typing import Any

from tests.support.components import package

MASTER = "local[2]"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.log.level": "OFF",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
"""Without generated code, whose compilation takes longer than such small data."""
BRIEF = dict.fromkeys(("SPARK_LAUNCHER_OPTS", "SPARK_SUBMIT_OPTS"), "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
"""Variables of a Java that ends before its second compiler and its threads for garbage would have paid."""


@cache
def spark_session() -> Any:
    """The session, which ends with the process."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # else functions in Python run in any python3, without our packages
    builder = package("pyspark.sql", "spark").SparkSession.builder.master(MASTER)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    warehouse = tempfile.mkdtemp(prefix="spark-")
    atexit.register(shutil.rmtree, warehouse, ignore_errors=True)
    return builder.config("spark.sql.warehouse.dir", warehouse).getOrCreate()
