import type { Operation } from '@tollgate/providers/provider'

/** What a name tells of a model. A provider offers many operations; few models take part in more than one kind. */
const KINDS: readonly { readonly sign: RegExp; readonly operations: readonly Operation[] }[] = [
  { sign: /rerank/i, operations: ['rerank'] },
  { sign: /embed|^m3e|bge-|jina-clip/i, operations: ['embeddings'] },
  { sign: /moderation/i, operations: ['moderations'] },
  { sign: /whisper|transcribe/i, operations: ['transcriptions', 'translations'] },
  { sign: /^tts|-tts/i, operations: ['speech'] },
  {
    sign: /dall-e|gpt-image|^flux|stable-diffusion|imagen/i,
    operations: ['images', 'image-edits', 'image-variations'],
  },
  { sign: /realtime/i, operations: ['realtime'] },
]
const TEXT: readonly Operation[] = ['chat', 'completions', 'responses', 'messages', 'generate']

/** Only who converses calls tools. */
export function converses(model: string): boolean {
  return !KINDS.some(({ sign }) => sign.test(model))
}

/** Of the operations a channel's provider offers, those that make sense for the model. */
export function operationsOf(model: string, offered: ReadonlySet<Operation>): Operation[] {
  const kind = KINDS.find(({ sign }) => sign.test(model))?.operations ?? TEXT
  return kind.filter((operation) => offered.has(operation))
}
