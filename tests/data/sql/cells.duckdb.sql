-- dosimeter 1 {"statistics":["histogram town","histogram sex,age","mode sex","count"],"settings":["unknown-cells town","categories sex:f,m","bins age:0..120:10","type age:int64","user uid","max-cells 3","max-per-cell 2","order at","max-rows 2","not-private"],"dialect":"duckdb","table":"public.visits"}
WITH a AS (SELECT nullif(encode(t."uid"), encode('')) AS u, t."at" AS o1, CASE WHEN t."age" IS NOT NULL THEN CAST(least(greatest(t."age", CAST(0 AS BIGINT)), CAST(119 AS BIGINT)) AS BIGINT) END AS z1, nullif(encode(t."town"), encode('')) AS c1, nullif(encode(t."sex"), encode('')) AS c2, CASE WHEN t."age" IS NOT NULL THEN 0 ELSE 1 END AS x FROM "public"."visits" AS t WHERE nullif(encode(t."uid"), encode('')) IS NOT NULL)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT 'users' AS part, CAST(NULL AS VARCHAR) AS cell, CAST(sum(m) AS VARCHAR) AS n0
FROM (SELECT least(count(*), CAST(2 AS BIGINT)) AS m, max(x) AS x FROM a GROUP BY u) AS p
UNION ALL SELECT 'cells.0' AS part, hex(g0) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g0, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g0 ASC) AS r FROM (SELECT u, g0, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c1 AS g0 FROM a) AS b WHERE g0 IS NOT NULL GROUP BY u, g0) AS q) AS h WHERE r <= 3 GROUP BY g0
UNION ALL SELECT 'cells.1' AS part, hex(g1) || '.' || CAST(g2 AS VARCHAR) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g1, g2, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC, g2 ASC) AS r FROM (SELECT u, g1, g2, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1, (z1 - CAST(0 AS BIGINT)) // 10 AS g2 FROM a) AS b WHERE g1 IS NOT NULL AND g2 IS NOT NULL GROUP BY u, g1, g2) AS q) AS h WHERE r <= 3 GROUP BY g1, g2
UNION ALL SELECT 'cells.2' AS part, hex(g1) AS cell, CAST(sum(n) AS VARCHAR) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'query' AS part, 'db4bd2c1255a1f0cb0688f55f72af0537778f9eab30ca1cb128d7a4c7052e051' AS cell, CAST(NULL AS VARCHAR) AS n0) AS s
