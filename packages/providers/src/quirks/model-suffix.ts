import type { RequestQuirk } from '../provider.ts'
import type { Body } from './body.ts'

export interface SuffixRule {
  /** Models whose names may carry it. */
  readonly models?: RegExp
  /** By suffix without its hyphen: what it stands for, given the body. */
  readonly suffixes: Readonly<Record<string, (body: Body) => Body>>
}

/** A wish hidden in the model's name, such as `o3-mini-high`: taken off, and put where the vendor wants it. */
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

/** Suffixes that set `reasoning_effort`, unless the caller said one. */
export function effortSuffix(models: RegExp, efforts: readonly string[]): RequestQuirk {
  return modelSuffix({
    models,
    suffixes: Object.fromEntries(efforts.map((each) => [each, withEffort(each)])),
  })
}

function withEffort(effort: string): (body: Body) => Body {
  return (body) => ({ reasoning_effort: effort, ...body })
}
