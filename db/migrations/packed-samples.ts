/** Samples may be compressed: those that are 0 or 1 for every evaluated sample shrink to a fiftieth. */
export const packedSamples = `
CREATE TABLE packed_sample_set (
  id INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES run_case (id) ON DELETE CASCADE,
  layer TEXT,
  metric TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  codec TEXT NOT NULL CHECK (codec IN ('raw', 'deflate')),
  data BLOB NOT NULL CHECK (codec <> 'raw' OR length(data) = 8 * count)
) STRICT;
INSERT INTO packed_sample_set (id, case_id, layer, metric, count, codec, data) SELECT id, case_id, layer, metric, count, 'raw', data FROM sample_set;
DROP TABLE sample_set;
ALTER TABLE packed_sample_set RENAME TO sample_set;
CREATE INDEX sample_set_case ON sample_set (case_id);
`
