import { accountProblems } from './catalogue/account.ts'
import { adminRequestProblems } from './catalogue/admin-request.ts'
import { callerProblems } from './catalogue/caller.ts'
import { channelSetupProblems } from './catalogue/channel-setup.ts'
import { channelProblems } from './catalogue/channels.ts'
import { limitProblems } from './catalogue/limits.ts'
import { logProblems } from './catalogue/logs.ts'
import { registrationProblems } from './catalogue/registration.ts'
import { relayProblems } from './catalogue/relay.ts'
import { requestProblems } from './catalogue/request.ts'
import { responsesSocketProblems } from './catalogue/responses-socket.ts'
import { sessionProblems } from './catalogue/sessions.ts'
import { settingProblems } from './catalogue/settings.ts'
import { signInProblems } from './catalogue/sign-in-providers.ts'
import { taskProblems } from './catalogue/tasks.ts'
import { tokenProblems } from './catalogue/tokens.ts'
import { tradeProblems } from './catalogue/trade.ts'
import { userProblems } from './catalogue/users.ts'
import type { Language, ProblemDefinition } from './definition.ts'

export type { Fault, Language } from './definition.ts'

export const problems = {
  ...accountProblems,
  ...adminRequestProblems,
  ...callerProblems,
  ...channelSetupProblems,
  ...channelProblems,
  ...limitProblems,
  ...logProblems,
  ...registrationProblems,
  ...relayProblems,
  ...requestProblems,
  ...responsesSocketProblems,
  ...sessionProblems,
  ...settingProblems,
  ...signInProblems,
  ...taskProblems,
  ...tokenProblems,
  ...tradeProblems,
  ...userProblems,
}

export type ProblemCode = keyof typeof problems
/** A parameter that differs by language has both texts. */
export type ProblemParameter = string | number | bigint | Readonly<Record<Language, string>>
export type ProblemParameters = Readonly<Record<string, ProblemParameter>>

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text)
}

/**
 * An expected failure: thrown anywhere, and rendered once at the edge, in the caller's API dialect and
 * language.
 */
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

  /** The text for the caller, without the request id. */
  textIn(language: Language): string {
    return fill(this.definition.text[language], this.parameters, language)
  }

  /** One parameter as text; empty when the problem has no parameter of that name. */
  parameter(name: string, language: Language = 'en'): string {
    const value = this.parameters[name] ?? ''
    return typeof value === 'object' ? value[language] : String(value)
  }
}

/** Creates a problem: `throw problem('model_not_offered', { model })`. */
export function problem(
  code: ProblemCode,
  parameters: ProblemParameters = {},
  options?: ErrorOptions,
): Problem {
  return new Problem(code, parameters, options)
}

/** An Accept-Language header that starts with `zh…` means Chinese, every other one English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trimStart().toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/**
 * Replaces `{name}` placeholders. The templates have spaces around a placeholder; they are dropped when the
 * inserted localised name starts with a Chinese character, because only Latin words are spaced.
 */
function fill(text: string, parameters: ProblemParameters, language: Language): string {
  return text.replace(/( ?)\{(\w+)\}( ?)/g, (whole, before: string, name: string, after: string) => {
    const value = parameters[name]
    if (value === undefined) return whole
    if (typeof value !== 'object') return `${before}${value}${after}`
    const word = value[language]
    return /^\p{Script=Han}/u.test(word) ? word : `${before}${word}${after}`
  })
}
