import { isRecord, type JsonObject } from '@tollgate/dialects/json'

/** Changes the message or delta of every choice; returns the same object when none changed. */
export function mapChoiceMessages(
  answer: Record<string, unknown>,
  change: (message: JsonObject) => JsonObject,
): Record<string, unknown> {
  const choices: unknown = answer['choices']
  if (!Array.isArray(choices)) return answer
  const changed = choices.map((choice: unknown) => (isRecord(choice) ? changeChoice(choice, change) : choice))
  return changed.some((choice, index) => choice !== choices[index]) ? { ...answer, choices: changed } : answer
}

function changeChoice(choice: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject {
  for (const name of ['message', 'delta']) {
    const message = choice[name]
    if (!isRecord(message)) continue
    const changed = change(message)
    return changed === message ? choice : { ...choice, [name]: changed }
  }
  return choice
}
