import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { omit, type Body } from '../quirks/body.ts'

const SAID_OTHERWISE = ['model', 'n', 'size', 'quality', 'response_format', 'stream', 'user', 'style']

/** https://www.volcengine.com/docs/85621/1537648. Unknown members are passed through. */
export function writePicture(body: Body): Body {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(textAt(body, 'size') ?? '') ?? []
  return {
    return_url: body['response_format'] !== 'b64_json',
    ...omitUndefined({
      width: width === undefined ? undefined : Number(width),
      height: height === undefined ? undefined : Number(height),
    }),
    ...omit(body, ...SAID_OTHERWISE),
    req_key: body['model'],
  }
}

const DONE = 10_000

export function pictureError(answer: JsonObject): string | undefined {
  const { code } = answer
  if (typeof code !== 'number' || code === DONE) return undefined
  return textAt(answer, 'message') ?? `error ${code}`
}

export function readPicture(answer: Record<string, unknown>): Record<string, unknown> {
  const data = recordAt(answer, 'data') ?? {}
  const urls = textsIn(data['image_urls']).map((url) => ({ url }))
  const carried = textsIn(data['binary_data_base64']).map((base64) => ({ b64_json: base64 }))
  return { created: 0, data: urls.length > 0 ? urls : carried }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : []
}
