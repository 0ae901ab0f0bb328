-- In which log the positions of an epoch were read: that of a cluster, on one of its timelines. After a failover the same
-- positions may stand for other commits. Null: the epoch has ended, or nobody knows.
ALTER TABLE cell.change_feed
  ADD COLUMN system   text,
  ADD COLUMN timeline bigint;
