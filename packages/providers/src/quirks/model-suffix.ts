import type { RequestQuirk } from '../provider.ts'
import type { Body } from './body.ts'

export interface SuffixRule {
  /** Models whose names may have the suffix. */
  readonly models?: RegExp
  /** What each suffix, written without its hyphen, changes in the body. */
  readonly suffixes: Readonly<Record<string, (body: Body) => Body>>
}

/**
 * Reads a suffix of the model name, such as `-high` of `o3-mini-high`: removes it and applies it to the body.
 */
export function modelSuffix({ models, suffixes }: SuffixRule): RequestQuirk {
  return (outgoing) => {
    const { model, body } = outgoing
    if (models !== undefined && !models.test(model)) return outgoing
    const suffix = Object.keys(suffixes).find((each) => model.endsWith(`-${each}`))
    const change = suffix === undefined ? undefined : suffixes[suffix]
    if (suffix === undefined || change === undefined) return outgoing
    const bare = model.slice(0, -suffix.length - 1)
    return { ...outgoing, model: bare, body: change({ ...body, model: bare }) }
  }
}

/** Suffixes that set `reasoning_effort`, unless the client set it. */
export function effortSuffix(models: RegExp, efforts: readonly string[]): RequestQuirk {
  return modelSuffix({
    models,
    suffixes: Object.fromEntries(efforts.map((each) => [each, withEffort(each)])),
  })
}

function withEffort(effort: string): (body: Body) => Body {
  return (body) => ({ reasoning_effort: effort, ...body })
}
