import { invariant } from '@tollgate/kit/invariant'
import type { Provider } from '../provider.ts'

/** Validates a definition at module load, so that the process does not start with a wrong one. */
export function defineProvider(definition: Provider): Provider {
  const { id, type, baseUrl, endpoints, tasks } = definition
  invariant(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id), 'an id is the name of its file')
  invariant(Number.isInteger(type) && type > 0, 'a type is a positive number')
  invariant(
    baseUrl === undefined || /^https?:\/\/[^/]+.*[^/]$/.test(baseUrl),
    'a base URL has no trailing slash',
  )
  invariant(
    tasks !== undefined || Object.values(endpoints).some((ways) => ways.length > 0),
    'a provider speaks at least one operation or takes tasks',
  )
  return definition
}

/** `names('a b c')` splits a list of model names; the lists stay readable as one text. */
export function names(text: string): readonly string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}
