import { imagesRequested } from '@tollgate/dialects/media/image-count'
import { problem } from '@tollgate/problems/problem'
import type { Body } from '../quirks/body.ts'

/** For vendors that generate one image per call. */
export function requireSingleImage(body: Body): void {
  if (imagesRequested(body) > 1) throw problem('member_out_of_range', { param: 'n', min: 1, max: 1 })
}
