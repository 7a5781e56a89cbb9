import type { Config } from '../config/index.ts'
import type { CallIds } from './trace-ids.ts'

/** Decides whether the spans of a call are recorded. */
export type Sampler = (call: Pick<CallIds, 'ids' | 'parent'>) => boolean

/** The standard samplers. By ratio, a trace is sampled alike in every service that uses the JavaScript SDK. */
export function samplerOf({
  tracesSampler,
  tracesSamplerShare,
}: Pick<Config, 'tracesSampler' | 'tracesSamplerShare'>): Sampler {
  const root = rootSampler(tracesSampler, tracesSamplerShare)
  if (!tracesSampler.startsWith('parentbased')) return root
  return (call) => call.parent?.isSampled ?? root(call)
}

function rootSampler(name: Config['tracesSampler'], share: number): Sampler {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  const bound = share === 1 ? 0x1_0000_0000 : Math.floor(share * 0xffff_ffff)
  return ({ ids: { trace } }) => (trace[0] ^ trace[1] ^ trace[2] ^ trace[3]) >>> 0 < bound
}
