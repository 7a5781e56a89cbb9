import { accountProblems } from './problems/account.ts'
import { callerProblems } from './problems/caller.ts'
import { channelSetupProblems } from './problems/channel-setup.ts'
import { signInProblems } from './problems/sign-in.ts'
import { identityProblems } from './problems/identity.ts'
import { limitProblems } from './problems/limits.ts'
import { operationsProblems } from './problems/operations.ts'
import { relayProblems } from './problems/relay.ts'
import { requestProblems } from './problems/request.ts'
import { tradeProblems } from './problems/trade.ts'
import { taskProblems } from './problems/tasks.ts'

/** Whose fault a problem is. It decides what is logged, what is retried and what a channel is blamed for. */
export type Fault = 'caller' | 'operator' | 'upstream' | 'network' | 'gateway'

export type Language = 'en' | 'zh'

export interface ProblemDefinition {
  /** HTTP status on a relay route. Admin routes answer 200 with `success:false` unless `adminStatus` says otherwise. */
  readonly status: number
  readonly adminStatus?: number
  readonly fault: Fault
  /** Text safe for the caller; `{name}` is replaced by the parameter of that name. */
  readonly text: Readonly<Record<Language, string>>
}

export const problems = {
  ...callerProblems,
  ...requestProblems,
  ...limitProblems,
  ...channelSetupProblems,
  ...relayProblems,
  ...identityProblems,
  ...accountProblems,
  ...signInProblems,
  ...operationsProblems,
  ...tradeProblems,
  ...taskProblems,
} as const satisfies Record<string, ProblemDefinition>

export type ProblemCode = keyof typeof problems
/** What has a name in each language is given as both. */
export type ProblemParameter = string | number | bigint | Readonly<Record<Language, string>>
export type ProblemParameters = Readonly<Record<string, ProblemParameter>>

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text)
}

/** An expected failure: thrown anywhere, rendered once at the rim in the caller's dialect and language. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly parameters: ProblemParameters

  constructor(code: ProblemCode, parameters: ProblemParameters, options?: ErrorOptions) {
    super(`${code} ${fill(problems[code].text.en, parameters, 'en')}`, options)
    this.code = code
    this.parameters = parameters
  }

  get definition(): ProblemDefinition {
    return problems[this.code]
  }

  /** The text for the caller, without request id. */
  textIn(language: Language): string {
    return fill(this.definition.text[language], this.parameters, language)
  }

  /** One parameter as text; empty when the problem has none of that name. */
  parameter(name: string, language: Language = 'en'): string {
    const value = this.parameters[name] ?? ''
    return typeof value === 'object' ? value[language] : String(value)
  }
}

/** `throw problem('model_not_offered', { model })` */
export function problem(
  code: ProblemCode,
  parameters: ProblemParameters = {},
  options?: ErrorOptions,
): Problem {
  return new Problem(code, parameters, options)
}

/** `zh…` in an Accept-Language header means Chinese; everything else English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trimStart().toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** In Chinese only Latin words have a blank beside them. */
function fill(text: string, parameters: ProblemParameters, language: Language): string {
  return text.replace(/( ?)\{(\w+)\}( ?)/g, (whole, before: string, name: string, after: string) => {
    const value = parameters[name]
    if (value === undefined) return whole
    if (typeof value !== 'object') return `${before}${value}${after}`
    const word = value[language]
    return /^\p{Script=Han}/u.test(word) ? word : `${before}${word}${after}`
  })
}
