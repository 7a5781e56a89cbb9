import {
  extraInputs,
  refusableMembers,
  type ExtraInput,
  type ModelTraits,
  type RefusableMember,
} from './model-traits.ts'

/**
 * What an upstream error can teach about a model: a single trait of the table, written as field and value.
 * None of them removes content, tools, a response format or a limit that bounds the price.
 */
export type LessonName =
  | `refuses:${RefusableMember}`
  | 'output_limit:max_tokens'
  | 'output_limit:max_completion_tokens'
  | 'system_role:system'
  | 'system_role:developer'
  | 'system_messages:reminders'
  | 'joined_texts:true'
  | 'responses:false'
  | 'streams:always'
  | `extra_input:${ExtraInput}`
  | 'betas:usual'
  | 'whole_texts:true'
  | 'tool_description:1024'

const lessons: ReadonlyMap<string, ModelTraits> = new Map<LessonName, ModelTraits>([
  ...refusableMembers.map((member): [LessonName, ModelTraits] => [
    `refuses:${member}`,
    { refuses: [member] },
  ]),
  ['output_limit:max_tokens', { outputLimit: 'max_tokens' }],
  ['output_limit:max_completion_tokens', { outputLimit: 'max_completion_tokens' }],
  ['system_role:system', { systemRole: 'system' }],
  ['system_role:developer', { systemRole: 'developer' }],
  ['system_messages:reminders', { systemMessages: 'reminders' }],
  ['joined_texts:true', { joinedTexts: true }],
  ['responses:false', { responses: false }],
  ['streams:always', { streams: 'always' }],
  ...extraInputs.map((member): [LessonName, ModelTraits] => [
    `extra_input:${member}`,
    { refusedInputs: [member] },
  ]),
  ['betas:usual', { betas: 'usual' }],
  ['whole_texts:true', { wholeTexts: true }],
  ['tool_description:1024', { toolDescription: 1024 }],
])

export function isLesson(name: unknown): name is LessonName {
  return typeof name === 'string' && lessons.has(name)
}

const opposites: ReadonlyMap<LessonName, LessonName> = new Map([
  ['system_role:system', 'system_role:developer'],
  ['system_role:developer', 'system_role:system'],
  ['output_limit:max_tokens', 'output_limit:max_completion_tokens'],
  ['output_limit:max_completion_tokens', 'output_limit:max_tokens'],
])

/** The lesson that a later refusal of the learned form teaches instead. */
export function findOppositeLesson(name: LessonName): LessonName | undefined {
  return opposites.get(name)
}

/** Whether a lesson applies to all models of a channel: an endpoint exists for all of them or for none. */
export function isAboutEveryModel(name: LessonName): boolean {
  return name === 'responses:false'
}

export function traitsTaught(names: readonly LessonName[]): ModelTraits {
  return names.reduce<ModelTraits>((sum, name) => withTraits(sum, lessons.get(name) ?? {}), {})
}

/**
 * Merges known and learned traits. Refused members are combined; for all others the learned trait takes
 * precedence.
 */
export function withTraits(known: ModelTraits, learned: ModelTraits): ModelTraits {
  return {
    ...known,
    ...learned,
    ...(learned.refuses && { refuses: union(known.refuses, learned.refuses) }),
    ...(learned.refusedInputs && { refusedInputs: union(known.refusedInputs, learned.refusedInputs) }),
  }
}

function union<Member>(first: readonly Member[] = [], second: readonly Member[]): readonly Member[] {
  return [...new Set([...first, ...second])]
}
