import { parseObject } from '@tollgate/kit/json'

/** Switches that consoles of the new-api family do not have; they write the whole setting without them. */
const OWN_SWITCHES = ['other_models'] as const

/**
 * The sent setting with the stored values of switches that it leaves out, so that a save by a console of the
 * new-api family does not undo them. `null` takes a switch away.
 */
export function keepOwnSwitches(sent: string, stored: string): string {
  const before = parseObject(Buffer.from(stored))
  const next = parseObject(Buffer.from(sent === '' ? '{}' : sent))
  if (before === undefined || next === undefined) return sent
  const kept = OWN_SWITCHES.filter((name) => name in before && !(name in next))
  if (kept.length === 0) return sent
  return JSON.stringify({ ...next, ...Object.fromEntries(kept.map((name) => [name, before[name]])) })
}
