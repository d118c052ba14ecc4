-- find_messages_v1(filters, limit, offset) → partition_ids, seqs, total, estimated
-- Which messages a list shows, the newest first (by time, then partition, then sequence number).
--
-- Takes  p_queue, p_partition, p_namespace, p_task   null for any
--        p_status   pending, processing, completed, dead_letter, or null; p_group as in message_standing_v1
--        p_from     inclusive, p_to exclusive
-- Gives  the page, two arrays side by side, and total: how many match. estimated: total may be too high, see below.
--
-- How    created_at never falls with the sequence number, and a status is a range of sequence numbers, so nothing is
--        found by reading messages. Partitions without a push since p_from are out at once. Of the others those with the
--        newest messages are taken, as many as the page needs, and only these are read.
-- Costs  one pass over the partitions of the filter. One look-up of the newest message for each of them that has gaps,
--        dead letters (with a status), or messages beyond the range: processed or completed ones, or a p_to before the
--        last push, when it is searched by halving. And limit + offset messages of the partitions taken, so a far page
--        of a long list is expensive.
--        For total the start of the window is searched in each partition older than it, in 1,000 partitions at most:
--        beyond them partitions count whole and total is said to be estimated.
create function queen.find_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer,
    out partition_ids uuid[], out seqs bigint[], out total bigint, out estimated boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    c_searches constant integer := 1000;
    v_wanted   bigint := p_limit::bigint + p_offset;
begin
    if p_status = 'dead_letter' then
        with found as materialized (
            select distinct m.partition_id, m.seq, m.created_at
            from queen.dead_letters d
            join queen.partitions p on p.id = d.partition_id
            join queen.queues q on q.id = p.queue_id
            join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
            where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
              and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
              and (p_group is null or d.consumer_group = p_group)
              and m.created_at >= p_from and m.created_at < p_to
        ), page as (
            select f.* from found f order by f.created_at desc, f.partition_id, f.seq desc limit p_limit offset p_offset
        )
        select array_agg(g.partition_id order by g.created_at desc, g.partition_id, g.seq desc),
               array_agg(g.seq order by g.created_at desc, g.partition_id, g.seq desc),
               (select count(*) from found), false
        into partition_ids, seqs, total, estimated
        from page g;
        return;
    end if;

    with scope as (
        select p.id, p.head, p.tail, p.removed <> p.tail as gaps, p.last_push_at, p.created_at,
               p_status is not null and (p.id in (select d.partition_id from queen.dead_letters d)
                   or p.id in (select r.partition_id from queen.redriven r)) as letters
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and p.last_push_at >= p_from and p.head > p.removed
    ), cursor as (
        -- Up to done it is completed, from there up to held it is being processed.
        select s.id, coalesce(max(c.cursor) filter (where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__')),
                   case when p_group is null then min(c.cursor) end, 0) as done,
               max(c.lease_last_seq) filter (
                   where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__') and c.lease_expires_at > now()) as held,
               coalesce(p_group, case when bool_or(c.consumer_group = '__QUEUE_MODE__') then '__QUEUE_MODE__' end) as judge
        from scope s
        join queen.partition_consumers c on c.partition_id = s.id
        where p_status is not null
        group by s.id
    ), again as materialized (
        -- Redriven, so not completed though the cursor has passed it: listed with its status, or left out.
        select distinct r.partition_id as id, r.seq, m.created_at
        from queen.redriven r
        join cursor u on u.id = r.partition_id and (u.judge is null or u.judge = r.consumer_group) and r.seq <= u.done
        join queen.partition_consumers c on c.partition_id = r.partition_id and c.consumer_group = r.consumer_group
        join queen.messages m on m.partition_id = r.partition_id and m.seq = r.seq
        where m.created_at >= p_from and m.created_at < p_to
          and (p_status = 'completed'
               or coalesce(u.judge is not null and c.lease_id = r.lease_id and c.lease_expires_at > now(), false)
                   = (p_status = 'processing'))
          and not exists (
              select from queen.dead_letters d
              where d.partition_id = r.partition_id and d.seq = r.seq and (p_group is null or d.consumer_group = p_group))
    ), range as (
        select s.*,
               greatest(s.tail, case p_status
                   when 'pending' then greatest(c.done, c.held) when 'processing' then c.done else 0 end) as low,
               case p_status
                   when 'completed' then coalesce(c.done, 0) when 'processing' then coalesce(c.held, 0)
                   else s.head end as high
        from scope s
        left join cursor c on c.id = s.id
    ), bounded as (
        select r.id, r.head, r.low, r.created_at, r.last_push_at, r.gaps, r.letters,
               case when r.last_push_at < p_to then r.high
                    else least(r.high, queen.seq_before(r.id, p_to)) end as high
        from range r
        where r.high > r.low
    ), candidate as materialized (
        select b.*, case when b.gaps or b.letters or b.high < b.head
            then (
                select m.created_at from queen.messages m
                where m.partition_id = b.id and m.seq > b.low and m.seq <= b.high
                  and (not b.letters or not exists (
                      select from queen.dead_letters d
                      where d.partition_id = m.partition_id and d.seq = m.seq
                        and (p_group is null or d.consumer_group = p_group)))
                  and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
                order by m.seq desc limit 1)
            else b.last_push_at end as newest
        from bounded b
        where b.high > b.low
    ), taken as (
        select c.* from candidate c where c.newest >= p_from order by c.newest desc, c.id limit v_wanted
    ), floor as (
        -- When so many partitions have a message since then, no older one is on the page.
        select case when count(*) = v_wanted then min(t.newest) else p_from end as since from taken t
    ), started as materialized (
        select t.id, t.high,
               greatest(t.low, case when t.created_at < f.since then queen.seq_before(t.id, f.since) else 0 end) as low
        from taken t cross join floor f
    ), found as (
        select t.id, m.seq, m.created_at
        from started t
        cross join lateral (
            select m.seq, m.created_at from queen.messages m
            where m.partition_id = t.id and m.seq > t.low and m.seq <= t.high
              and (p_status is null or not exists (
                  select from queen.dead_letters d
                  where d.partition_id = m.partition_id and d.seq = m.seq
                    and (p_group is null or d.consumer_group = p_group)))
              and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
            order by m.seq desc limit v_wanted
        ) m
        union all
        select a.id, a.seq, a.created_at from again a where p_status <> 'completed'
    ), page as (
        select f.* from found f order by f.created_at desc, f.id, f.seq desc limit p_limit offset p_offset
    ), numbered as (
        select c.*, c.created_at < p_from as older,
               row_number() over (partition by c.created_at < p_from order by c.id) as nth
        from candidate c
        where c.newest >= p_from
    ), counted as (
        select n.id, n.high, n.gaps, n.letters, n.older and n.nth > c_searches as unsearched,
               greatest(n.low, case when n.older and n.nth <= c_searches then queen.seq_before(n.id, p_from) else 0 end) as low
        from numbered n
    )
    select (select array_agg(g.id order by g.created_at desc, g.id, g.seq desc) from page g),
           (select array_agg(g.seq order by g.created_at desc, g.id, g.seq desc) from page g),
           coalesce(sum(case when c.gaps
               then (select count(*) from queen.messages m
                     where m.partition_id = c.id and m.seq > c.low and m.seq <= c.high)
               else c.high - c.low end
               - case when not c.letters then 0 else (
                   select count(distinct d.seq)
                   from queen.dead_letters d
                   join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
                   where d.partition_id = c.id and d.seq > c.low and d.seq <= c.high
                     and (p_group is null or d.consumer_group = p_group)) end), 0)
               + (select case when p_status = 'completed' then -count(*) else count(*) end from again a),
           coalesce(bool_or(c.unsearched), false)
    into partition_ids, seqs, total, estimated
    from counted c;
end
$$;
