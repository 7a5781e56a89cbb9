import { checkRule } from './check-rule.ts'
import { Form, type FormItemProps, type FormRule } from 'antd'
import { characters } from '@tollgate/contract/account-rules'
import type { ReactElement, ReactNode } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'

interface FieldProps {
  readonly name: FormItemProps['name']
  readonly label: string
  readonly isRequired?: boolean
  /** A longer text is an error; it is not cut. */
  readonly maxCharacters?: number
  /** One line under the field: its effect, or an example. */
  readonly help?: ReactNode
  readonly rules?: NonNullable<FormItemProps['rules']>
  /** `checked` for switches and check boxes. */
  readonly valuePropName?: string
  /** `onBlur`: the rules are not checked while the reader is still typing. */
  readonly validateTrigger?: 'onBlur'
  readonly children: ReactElement
}

/**
 * The id of the label element, for controls that are not a single input and need it for their accessible
 * name: the field's `id` followed by `-label`.
 */
function labelId(name: FormItemProps['name']): string {
  return `${Array.isArray(name) ? name.join('_') : String(name)}-label`
}

/** One labelled field of a form, with a common message for required fields. */
export function Field({
  name,
  label,
  isRequired = false,
  maxCharacters,
  help,
  rules = [],
  valuePropName,
  validateTrigger,
  children,
}: FieldProps) {
  const t = sharedMessages.use()
  const required = isRequired
    ? [{ required: true, whitespace: true, message: t('form.required', { field: label }) }]
    : []
  const tooLong =
    maxCharacters === undefined ? [] : [lengthRule(maxCharacters, t('text.tooLong', { max: maxCharacters }))]
  return (
    <Form.Item
      name={name}
      label={label !== '' && <span id={labelId(name)}>{label}</span>}
      extra={help}
      rules={[...required, ...tooLong, ...rules]}
      valuePropName={valuePropName ?? 'value'}
      validateTrigger={validateTrigger}
      validateFirst
    >
      {children}
    </Form.Item>
  )
}

function lengthRule(max: number, message: string): FormRule {
  return checkRule((text) => typeof text !== 'string' || characters(text.trim()) <= max, message)
}
