-- throughput_v1() → ingested, processed
-- Messages pushed and acknowledged a second, by all servers together, in the last minute whose bucket is written; zeros
-- when nothing was written for three minutes.
create function queen.throughput_v1(out ingested numeric, out processed numeric)
language sql stable
as $$
    select round(coalesce(sum((b.metrics ->> 'pushMessages')::numeric), 0) / 60, 2),
           round(coalesce(sum((b.metrics ->> 'ackMessages')::numeric), 0) / 60, 2)
    from queen.metric_buckets b
    where b.queue_name = ''
      and b.bucket = (
          select max(l.bucket) from queen.metric_buckets l
          where l.bucket < date_trunc('minute', now()) and l.bucket >= date_trunc('minute', now()) - interval '3 minutes')
$$;
