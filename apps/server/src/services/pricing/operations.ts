import { resolveEndpoint } from '@tollgate/providers/prepare'
import type { Operation, Provider } from '@tollgate/providers/provider'

/** Names that are models for videos also where a channel does other things besides. */
const VIDEOS = /seedance|^sora|^veo-|^kling-v|hailuo|^vidu|[-_](t2v|i2v)/i

const PICTURES: readonly Operation[] = ['images', 'image-edits', 'image-variations']
/** They draw in the course of a conversation, and are asked for pictures alone too. */
const TALKS_AND_DRAWS = /^gemini.*image|banana/i

/** What a name tells of a model. A provider offers many operations; few models take part in more than one kind. */
const KINDS: readonly { readonly sign: RegExp; readonly operations: readonly Operation[] }[] = [
  { sign: /rerank/i, operations: ['rerank'] },
  { sign: /embed|^m3e|bge-|jina-clip/i, operations: ['embeddings'] },
  { sign: /moderation/i, operations: ['moderations'] },
  { sign: /whisper|transcribe/i, operations: ['transcriptions', 'translations'] },
  { sign: /^tts|-tts/i, operations: ['speech'] },
  {
    sign: /dall-e|gpt-image|(?:^|\/)flux|stable-diffusion|imagen|seedream|qwen-image|^wanx|cogview|dreamshaper/i,
    operations: PICTURES,
  },
  { sign: /realtime/i, operations: ['realtime'] },
  { sign: VIDEOS, operations: [] },
]
const TEXT: readonly Operation[] = ['chat', 'completions', 'responses', 'messages', 'generate']

/** Only who converses calls tools. */
export function converses(model: string): boolean {
  return !KINDS.some(({ sign }) => sign.test(model))
}

/** What the channels of a model do. */
export interface Offered {
  readonly operations: ReadonlySet<Operation>
  /** Kinds of work that take their time: `mj`, `suno`, `video`. */
  readonly tasks: ReadonlySet<string>
  /** Every one of them does tasks, and nothing besides. */
  readonly isForTasksAlone: boolean
}

/** Of all that its channels offer, what makes sense for the model: operations, or one kind of work. */
export function endpointTypesOf(model: string, { operations, tasks, isForTasksAlone }: Offered): string[] {
  const work = WORKS.find(({ task, sign }) => tasks.has(task) && (isForTasksAlone || sign.test(model)))
  if (work) return [work.endpoint]
  const kind =
    KINDS.find(({ sign }) => sign.test(model))?.operations ??
    (TALKS_AND_DRAWS.test(model) ? [...TEXT, ...PICTURES] : TEXT)
  return kind.filter((operation) => operations.has(operation))
}

const WORKS = [
  { task: 'video', sign: VIDEOS, endpoint: 'videos' },
  { task: 'mj', sign: /^(?:mj_|swap_face$)/, endpoint: 'midjourney' },
  { task: 'suno', sign: /^suno_/, endpoint: 'suno' },
] as const

/** What a provider serves for one of its models, also where it is asked in another dialect than the caller's. */
export function servedOperations(provider: Provider, model: string): Operation[] {
  return ALL_OPERATIONS.filter((operation) => resolveEndpoint(provider, operation, model) !== undefined)
}

const ALL_OPERATIONS = [
  'chat',
  'completions',
  'embeddings',
  'moderations',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
  'rerank',
  'responses',
  'messages',
  'generate',
  'realtime',
] as const satisfies readonly Operation[]
