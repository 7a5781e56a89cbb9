import { invariant } from '@tollgate/kit/invariant'
import type { Provider } from '../provider.ts'
import { apiKey, bearer } from './credentials.ts'

/** What most providers have in common; a definition names only what differs. */
const usual: Pick<Provider, 'credentials' | 'authHeaders' | 'endpoints' | 'models'> = {
  credentials: apiKey,
  authHeaders: bearer(),
  endpoints: {},
  models: [],
}

type ProviderDefinition = Omit<Provider, keyof typeof usual> & Partial<typeof usual>

/**
 * Adds a plain key, sent as a bearer token, and empty lists where a definition names none. Validates the result
 * at module load, so that the process does not start with a wrong one.
 */
export function defineProvider(definition: ProviderDefinition): Provider {
  const provider = { ...usual, ...definition }
  const { id, type, baseUrl, endpoints, tasks } = provider
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
  return provider
}

/** `names('a b c')` splits a list of model names; the lists stay readable as one text. */
export function names(text: string): readonly string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}
