import { problem } from '@tollgate/problems/problem'
import type { AskDefaults } from '../ask.ts'
import type { Ask } from '../dialect.ts'
import { checkedMembers } from '../checked/members.ts'
import { keepFields, rejectSuspectForm } from '../checked/refuse.ts'
import { lenientPolicy, type MemberPolicy } from '../checked/take-out.ts'
import { mediaReaders } from './ask-rules.ts'
import { readForm, textsOf, type Form } from './form.ts'
import { isTranscript, type FormOperation } from './operation.ts'

export interface FormInput {
  readonly operation: FormOperation
  readonly bytes: Buffer
  readonly contentType: string
  readonly defaults: AskDefaults
  readonly policy?: MemberPolicy
}

const MODEL_LENGTH_MAX = 256

/**
 * Reads a request whose body is a form: text fields become members, and files stay in the bytes. Throws a
 * problem like `readAsk`.
 */
export function readFormAsk({
  operation,
  bytes,
  contentType,
  defaults,
  policy = lenientPolicy,
}: FormInput): Ask {
  const sent = readForm(bytes, contentType)
  const shape = checkedMembers[operation]
  rejectSuspectForm(sent, textsOf(sent), shape)
  const { form, names } = keepFields(sent, shape, policy)
  const body = textsOf(form)
  requireFile(form, isTranscript(operation) ? 'file' : 'image')
  const reported = body['model']
  const model = typeof reported === 'string' && reported !== '' ? reported : defaults.defaultModel
  if (model === undefined) throw problem('model_required', { param: 'model' })
  if (model.length > MODEL_LENGTH_MAX) throw problem('member_invalid', { param: 'model' })
  return { model, ...mediaReaders[operation](body), body, bytes, members: [], form, ...(names && { names }) }
}

function requireFile({ parts }: Form, param: string): void {
  const isThere = parts.some(
    ({ name, fileName, content }) =>
      (name === param || name === `${param}[]`) && fileName !== undefined && content.length > 0,
  )
  if (!isThere) throw problem('member_missing', { param })
}
