import { repairMessages } from '../i18n/repairs.ts'

const texts = {
  answered_calls: 'answeredCalls',
  continued_answer: 'continuedAnswer',
  bridged_turns: 'bridgedTurns',
  system_reminders: 'systemReminders',
  calls_as_texts: 'callsAsTexts',
  renamed_tools: 'renamedTools',
  tool_schemas: 'toolSchemas',
  moved_descriptions: 'movedDescriptions',
  shortened_ids: 'shortenedIds',
  shortened_stops: 'shortenedStops',
  whole_characters: 'wholeCharacters',
  kept_reasoning: 'keptReasoning',
  filled_reasoning: 'filledReasoning',
  sealed_reasoning: 'sealedReasoning',
} as const

/** What was changed in a request, in the reader's language; an unknown change is shown by its name. */
export function useRepairText(): (repair: string) => string {
  const t = repairMessages.use()
  return (repair) => (isRepair(repair) ? t(texts[repair]) : repair)
}

function isRepair(repair: string): repair is keyof typeof texts {
  return Object.hasOwn(texts, repair)
}
