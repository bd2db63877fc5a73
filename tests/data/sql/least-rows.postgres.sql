-- dosimeter 1 {"statistics":["histogram town","count","histogram street"],"settings":["unknown-cells town","unknown-cells street","min-count town:20","not-private"],"dialect":"postgres","table":"public.visits"}
WITH a AS (SELECT nullif(CAST(t."town" AS text) COLLATE "C", '') AS c1, nullif(CAST(t."street" AS text) COLLATE "C", '') AS c2, 0 AS x FROM "public"."visits" AS t)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT part, cell, n0 FROM (SELECT CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN 'rows.0' WHEN grouping(g0) = 1 AND grouping(g1) = 1 THEN 'rows' WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN 'rows.1' END AS part, CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN encode(convert_to(g0, 'UTF8'), 'hex') WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN encode(convert_to(g1, 'UTF8'), 'hex') END AS cell, CAST(count(*) AS text) AS n0, count(*) AS m
FROM (SELECT c1 AS g0, c2 AS g1 FROM a) AS b GROUP BY GROUPING SETS ((g0), (), (g1))) AS k WHERE (part <> 'rows.0' OR m >= CAST(20 AS BIGINT))
UNION ALL SELECT 'query' AS part, 'f393ec46f787cc675c713d655941dca7ab544edfcbcba6a9064b99f726fb5768' AS cell, CAST(NULL AS text) AS n0) AS s
