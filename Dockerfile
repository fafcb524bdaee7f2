# The example of the README: docker build -t sqlrank . && docker run --rm sqlrank
# Files of yours: docker run --rm -v "$PWD:/data" sqlrank eval run.parquet --qrels qrels.parquet
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels && useradd --create-home sqlrank
COPY fixtures/search /example
USER sqlrank
WORKDIR /data
ENTRYPOINT ["sqlrank"]
CMD ["eval", "/example/keyword.parquet", "/example/semantic.parquet", "--qrels", "/example/qrels.parquet"]
