import type { Config } from '../config/index.ts'
import type { TraceIds } from './span.ts'
import type { RemoteParent } from './trace-ids.ts'

/** Decides whether the spans of a call are recorded. */
export type Sampler = (ids: TraceIds, parent: RemoteParent | undefined) => boolean

/** The standard samplers. By ratio, a trace is sampled alike in every service that uses the JavaScript SDK. */
export function samplerOf({
  tracesSampler,
  tracesSamplerShare,
}: Pick<Config, 'tracesSampler' | 'tracesSamplerShare'>): Sampler {
  const root = rootSampler(tracesSampler, tracesSamplerShare)
  if (!tracesSampler.startsWith('parentbased')) return root
  return (ids, parent) => parent?.isSampled ?? root(ids, parent)
}

function rootSampler(name: Config['tracesSampler'], share: number): Sampler {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  const bound = share === 1 ? 0x1_0000_0000 : Math.floor(share * 0xffff_ffff)
  return ({ trace: [first, second, third, fourth] }) => (first ^ second ^ third ^ fourth) >>> 0 < bound
}
