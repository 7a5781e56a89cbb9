import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import { parseObject } from '@tollgate/dialects/json'
import { textOfParts } from './text-of-parts.ts'
import type { TranscriptReader } from './transcript-reader.ts'

/** Reads the texts of conversations in a dialect: of several choices only the first, and no reasoning. */
export function conversationTranscript(dialect: ConversationOperation): TranscriptReader {
  const { caller, upstream } = conversations[dialect]
  return {
    messages: ({ body, model, isStream }) => caller.readConversation(body, { model, isStream }).messages,
    answer: (bytes) => {
      const read = upstream.readReply(parseObject(bytes) ?? {}, noUsage)
      return read.type === 'reply' ? textOfParts(read.reply.choices[0]?.parts ?? []) : ''
    },
    openStream: () => {
      const reader = upstream.openReader(noUsage)
      const textOfEvent = openEventReader()
      return (frame, before) => {
        let text = ''
        for (const event of reader.push(frame)) text += textOfEvent(event, text === '' ? before : text)
        return text
      }
    },
  }
}

const noUsage = () => undefined

function openEventReader(): (event: ReplyEvent, before: string) => string {
  let isReasoning = false
  return (event, before) => {
    if (!('choice' in event) || event.choice !== 0) return ''
    if (event.type === 'part-start') {
      isReasoning = event.opening.type === 'reasoning'
      const opening = textOfParts([event.opening])
      return opening === '' || before === '' ? opening : `\n${opening}`
    }
    if (event.type === 'text-delta') return isReasoning ? '' : event.text
    if (event.type === 'arguments-delta') return event.text
    return event.type === 'audio-delta' ? event.transcript : ''
  }
}
