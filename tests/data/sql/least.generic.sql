-- dosimeter 1 {"statistics":["histogram town","histogram sex","mode sex"],"settings":["unknown-cells town","categories sex:f,m","user uid","max-cells 3","max-per-cell 2","min-count town:20","order at","not-private"],"dialect":"generic","table":"public.visits"}
WITH a AS (SELECT nullif(t."uid", '') AS u, t."at" AS o1, nullif(t."town", '') AS c1, nullif(t."sex", '') AS c2, 0 AS x FROM "public"."visits" AS t WHERE nullif(t."uid", '') IS NOT NULL)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT 'cells.0' AS part, hex(g0) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS VARCHAR(100)) AS n0
FROM (SELECT g0, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g0 ASC) AS r FROM (SELECT u, g0, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c1 AS g0 FROM a) AS b WHERE g0 IS NOT NULL GROUP BY u, g0) AS q) AS h WHERE r <= 3 GROUP BY g0 HAVING sum(CAST(n AS DECIMAL(38,0))) >= CAST(20 AS BIGINT)
UNION ALL SELECT 'cells.1' AS part, hex(g1) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS VARCHAR(100)) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'cells.2' AS part, hex(g1) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS VARCHAR(100)) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'query' AS part, '3262c8491179bb13b052fac6e656aa63fb3dae8e6dd30cec49616c8c505bffb4' AS cell, CAST(NULL AS VARCHAR(100)) AS n0) AS s
