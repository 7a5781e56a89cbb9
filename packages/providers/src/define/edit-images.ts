import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import { isRecord, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { omit, type Body } from '../quirks/body.ts'

/** The limit of the OpenAI API. https://platform.openai.com/docs/api-reference/images/createEdit */
const PICTURES_MAX = 16
const BASE64_SIGN_CHARACTERS = 64

/**
 * Returns the images of an edit request, at least one, as public addresses and data URLs. They are read from
 * `image`, `image[]` and `images`.
 */
export function editImages(body: Body): readonly [string, ...(readonly string[])] {
  const reported = ['image', 'image[]', 'images'].flatMap((param) => pictures(body[param], param))
  if (reported.length > PICTURES_MAX) throw problem('member_too_long', { param: 'image', max: PICTURES_MAX })
  const [first, ...more] = reported
  if (first === undefined) throw problem('member_missing', { param: 'image' })
  return [first, ...more]
}

export function maskOf(body: Body): string | undefined {
  const [mask, ...more] = pictures(body['mask'], 'mask')
  if (more.length > 0) throw problem('member_invalid', { param: 'mask' })
  return mask
}

/**
 * For vendors that edit by prompt alone. A mask must be refused, because ignoring it would change the areas
 * that it was meant to protect.
 */
export function refuseMask(body: Body): void {
  if (maskOf(body) !== undefined) throw problem('image_mask_unsupported')
}

function pictures(value: unknown, param: string): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap((each) => pictures(each, param))
  const url = isRecord(value) ? (textAt(value, 'image_url') ?? textAt(value, 'url')) : value
  if (typeof url !== 'string') throw problem('member_invalid', { param })
  return [addressed(url, param)]
}

/** Some clients send bare base64 instead of a data URL; the media type is then detected from the bytes. */
function addressed(reported: string, param: string): string {
  if (/^(?:https?:\/\/|data:image\/)/i.test(reported)) return reported
  const type = mediaTypeOf(Buffer.from(reported.slice(0, BASE64_SIGN_CHARACTERS), 'base64'))
  if (type?.startsWith('image/') !== true) throw problem('member_invalid', { param })
  return `data:${type};base64,${reported}`
}

/** For vendors that accept images in JSON as `image`: one address, or a list of several. */
export function withPictures(body: Body): Body {
  refuseMask(body)
  const reported = editImages(body)
  return { ...omit(body, 'image[]', 'images', 'mask'), image: reported.length === 1 ? reported[0] : reported }
}
