import { withoutTrailing } from '@tollgate/kit/without-trailing'
import { defaultChannelSettings } from './channel-settings.ts'
import { segment } from './define/url.ts'
import type { AddressHelp, Operation, Provider, Upstream } from './provider.ts'

/**
 * Uses the provider's own help text if it has one; otherwise derives one from the path that its calls append
 * to the base address.
 */
export function addressHelp(provider: Provider): AddressHelp {
  const { address, baseUrl } = provider
  const example = address?.example ?? baseUrl ?? ANY_ADDRESS
  return { help: address?.help ?? helpBefore(pathOf(provider, withoutTrailing(example, '/'))), example }
}

const ANY_ADDRESS = 'https://upstream.example.com'

function helpBefore(path: string): AddressHelp['help'] {
  if (path === '/') return { en: 'The host alone, without a path.', zh: '仅填主机地址，不含路径。' }
  return { en: `Everything before ${path}.`, zh: `${path} 之前的部分。` }
}

/** The operations whose path best describes a provider, the best first. */
const OPERATIONS: readonly Operation[] = [
  'chat',
  'messages',
  'generate',
  'own',
  'responses',
  'images',
  'embeddings',
  'rerank',
]

/** The path that calls append to the base address, as far as it is the same for every model and task. */
function pathOf(provider: Provider, baseUrl: string): string {
  const { endpoints, tasks, models, other } = provider
  const place = { key: KEY, baseUrl, other: other?.usual ?? '' }
  const [resolved] = OPERATIONS.flatMap((operation) => endpoints[operation] ?? [])
  if (resolved === undefined) {
    const path = tasks?.poll([{ taskId: TASK, action: '' }], place).path ?? '/'
    return before(path, TASK)
  }
  const [model = 'model'] = models
  const upstream: Upstream = {
    ...place,
    channelId: 0,
    type: provider.type,
    organization: '',
    createdTime: 0,
    settings: defaultChannelSettings,
  }
  const operation = OPERATIONS.find((name) => endpoints[name] !== undefined) ?? 'chat'
  const asked = { operation, model, isStream: false, query: new URLSearchParams(), body: {} }
  const path = new URL(resolved.url(asked, upstream)).pathname
  const base = withoutTrailing(new URL(baseUrl).pathname, '/')
  return before(path.slice(base.length), segment(model))
}

/** A placeholder key of two parts: some vendors use two-part keys, and other paths for keys of one part. */
const KEY = 'name|secret'
const TASK = 'task-id'

function before(path: string, name: string): string {
  const [start = path] = path.split(`/${name}`)
  return start
}
