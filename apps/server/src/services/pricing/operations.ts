import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import type { Operation, Provider } from '@tollgate/providers/provider'

/** Names of video models, also on channels that offer other operations. */
const VIDEOS = /seedance|^sora|^veo-|^kling-v|hailuo|^vidu|[-_](t2v|i2v)/i

const PICTURES: readonly Operation[] = ['images', 'image-edits', 'image-variations']
/** Models that draw during a conversation and also accept pure image requests. */
const TALKS_AND_DRAWS = /^gemini.*image|banana/i

/**
 * Guesses the kind of a model from its name. A provider offers many operations, but few models support more
 * than one kind.
 */
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

/** Only chat models can call tools. */
export function converses(model: string): boolean {
  return !KINDS.some(({ sign }) => sign.test(model))
}

/** What the channels of a model offer. */
export interface Offered {
  readonly operations: ReadonlySet<Operation>
  /** Task platforms: `mj`, `suno`, `video`. */
  readonly tasks: ReadonlySet<string>
  /** True when every channel only runs tasks. */
  readonly isForTasksAlone: boolean
}

/** Returns those operations of the channels that make sense for the model, or its single task type. */
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

/** Operations that a provider supports for a model, natively or through conversion between API formats. */
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
