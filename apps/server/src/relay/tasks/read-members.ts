import type { IncomingMessage } from 'node:http'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import { parseObject, type JsonObject } from '@tollgate/dialects/json'
import { readForm, textsOf, type FormPart } from '@tollgate/dialects/media/form'
import { problem } from '@tollgate/kit/problem'
import { readBody } from '../admit/body.ts'

/** The members of a submission: of a JSON object, or of a form, whose pictures become data URLs. */
export async function readMembers(request: IncomingMessage, bytesMax: number): Promise<JsonObject> {
  const type = request.headers['content-type'] ?? ''
  const bytes = await readBody(request, bytesMax)
  if (!/^\s*multipart\/form-data\b/i.test(type)) {
    const body = parseObject(bytes)
    if (body === undefined) throw problem('unmarshal_request_failed')
    return body
  }
  const form = readForm(bytes, type)
  const files = form.parts.filter(({ fileName }) => fileName !== undefined)
  const pictures = Map.groupBy(files, ({ name }) => name)
  const members = [...pictures].map(([name, parts]) => [name, parts.map(dataUrl)] as const)
  return { ...textsOf(form), ...Object.fromEntries(members) }
}

/** WEAKNESS: a picture is what its bytes say it is. */
function dataUrl({ name, content }: FormPart): string {
  const type = mediaTypeOf(content)
  if (type === undefined) throw problem('member_invalid', { param: name })
  return `data:${type};base64,${content.toString('base64')}`
}
