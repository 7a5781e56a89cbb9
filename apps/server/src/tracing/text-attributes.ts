import type { Held } from '../relay/stations/hold/held.ts'
import type { AnswerText } from '../relay/transcript/answer-text.ts'
import { transcriptText } from '../relay/transcript/transcript-text.ts'

/**
 * The redacted texts of a call in the form of the OpenTelemetry conventions. Empty for a call whose texts the
 * site does not keep.
 */
export function textAttributes(
  { operation, ask, settings }: Held,
  answer: AnswerText | undefined,
): Record<string, string> {
  const { keptCharactersMax: charactersMax } = settings
  if (operation.transcript === undefined || answer === undefined || charactersMax === undefined) return {}
  const said = transcriptText({ reader: operation.transcript, ask, answer, charactersMax })
  const messages = [...(said.context ?? []), ...(said.input_content ? [said.input_content] : [])]
  return {
    'gen_ai.input.messages': JSON.stringify(messages.map(({ role, content }) => messageOf(role, content))),
    'gen_ai.output.messages': JSON.stringify([messageOf('assistant', said.output_content)]),
    ...(said.system_prompt !== undefined && {
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: said.system_prompt }]),
    }),
  }
}

function messageOf(role: string, content: string) {
  return { role, parts: [{ type: 'text', content }] }
}
