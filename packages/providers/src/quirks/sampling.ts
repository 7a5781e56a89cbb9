import type { RequestQuirk } from '../provider.ts'
import { onBody } from './body.ts'

/** Brings `top_p` into a vendor's range, if the caller sent one. */
export function clampTopP(range: { readonly min?: number; readonly max: number }): RequestQuirk {
  return onBody((body) => {
    const told = body['top_p']
    if (typeof told !== 'number') return body
    const clamped = Math.min(range.max, Math.max(range.min ?? told, told))
    return clamped === told ? body : { ...body, top_p: clamped }
  })
}
