import { picturesAsked } from '@tollgate/dialects/media/picture-count'
import { problem } from '@tollgate/kit/problem'
import type { Body } from '../quirks/body.ts'

/** For vendors that generate one image per call. */
export function onlyOnePicture(body: Body): void {
  if (picturesAsked(body) > 1) throw problem('member_out_of_range', { param: 'n', min: 1, max: 1 })
}
