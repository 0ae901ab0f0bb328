-- Links that no document holds any more are forgotten: each is looked for now and then, a few documents at a time.

ALTER TABLE cell.links
  ADD created_at timestamptz NOT NULL DEFAULT now(),
  -- When to look for it next.
  ADD check_at   timestamptz NOT NULL DEFAULT now() + interval '30 days',
  -- It is being looked for. A write that holds it ends the doubt, and every node knows that it must note it.
  ADD is_doubted boolean     NOT NULL DEFAULT false,
  -- Documents of this id and above have been looked at.
  ADD looked_to  uuid;

CREATE INDEX links_check_at ON cell.links (check_at);

-- Does a value hold an id of this collection (0: of an app user)? Ids carry its number in 24 bits, round the variant.
CREATE FUNCTION cell.links_to(value jsonb, target integer) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN EXISTS (
    SELECT FROM unnest(cell.link_ids(value)) AS id CROSS JOIN uuid_send(id) AS bytes
    WHERE ((get_byte(bytes, 6) & 15) << 20) + (get_byte(bytes, 7) << 12)
      + ((get_byte(bytes, 8) & 63) << 6) + (get_byte(bytes, 9) >> 2) = target);
