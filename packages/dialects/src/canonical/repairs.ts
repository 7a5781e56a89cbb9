/** What a conversion or a repair changed in a request, in the order in which the log shows it. */
export const repairNames = [
  'answered_calls',
  'continued_answer',
  'bridged_turns',
  'system_reminders',
  'calls_as_texts',
  'renamed_tools',
  'tool_schemas',
  'moved_descriptions',
  'shortened_ids',
  'shortened_stops',
  'whole_characters',
  'kept_reasoning',
  'filled_reasoning',
  'sealed_reasoning',
] as const
export type RepairName = (typeof repairNames)[number]

/** Joins what several steps changed, each name once and in order. */
export function joinRepairs(...lists: readonly (readonly RepairName[] | undefined)[]): readonly RepairName[] {
  const names = new Set(lists.flatMap((list) => list ?? []))
  return names.size === 0 ? NO_REPAIRS : repairNames.filter((name) => names.has(name))
}

const NO_REPAIRS: readonly RepairName[] = []
