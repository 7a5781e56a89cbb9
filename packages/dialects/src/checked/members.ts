import type { CallOperation } from '../conversations.ts'
import type { CheckedShape } from './shape.ts'
import { findShape } from './shapes.ts'

/** The shapes of the bodies of calls. */
export const checkedMembers: Readonly<Record<CallOperation, CheckedShape>> = {
  chat: findShape('chat'),
  messages: findShape('messages'),
  responses: findShape('responses'),
  compact: findShape('responses'),
  generate: findShape('generate'),
  completions: findShape('completions'),
  embeddings: findShape('embeddings'),
  moderations: findShape('embeddings'),
  embed: findShape('embed'),
  rerank: findShape('rerank'),
  search: findShape('search'),
  images: findShape('images'),
  'image-edits': findShape('images'),
  'image-variations': findShape('images'),
  speech: findShape('speech'),
  transcriptions: findShape('transcriptions'),
  translations: findShape('transcriptions'),
  realtime: findShape('realtime'),
}

/** Judged members of task submissions, by the platform whose format the submission has. */
export const checkedTaskMembers = {
  video: findShape('video'),
  kling: findShape('kling'),
  jimeng: findShape('jimeng'),
  midjourney: findShape('midjourney'),
  suno: findShape('suno'),
} as const
