-- dosimeter 1 {"statistics":["histogram town","histogram sex","mode sex"],"settings":["unknown-cells town","categories sex:f,m","user uid","max-cells 3","max-per-cell 2","min-count town:20","order at","not-private"],"dialect":"duckdb","table":"public.visits"}
WITH a AS (SELECT nullif(encode(t."uid"), encode('')) AS u, t."at" AS o1, nullif(encode(t."town"), encode('')) AS c1, nullif(encode(t."sex"), encode('')) AS c2, 0 AS x FROM "public"."visits" AS t WHERE nullif(encode(t."uid"), encode('')) IS NOT NULL)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT 'cells.0' AS part, hex(g0) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g0, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g0 ASC) AS r FROM (SELECT u, g0, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c1 AS g0 FROM a) AS b WHERE g0 IS NOT NULL GROUP BY u, g0) AS q) AS h WHERE r <= 3 GROUP BY g0 HAVING sum(n) >= CAST(20 AS BIGINT)
UNION ALL SELECT 'cells.1' AS part, hex(g1) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'cells.2' AS part, hex(g1) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'query' AS part, 'b1b7bdee86b9a842723692033ee3fdc2b5927a02827863222ad55d5f7ac7432b' AS cell, CAST(NULL AS VARCHAR) AS n0) AS s
