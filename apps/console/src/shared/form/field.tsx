import { Form, type FormItemProps } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'

interface FieldProps {
  readonly name: FormItemProps['name']
  readonly label: string
  readonly isRequired?: boolean
  /** One line under the field: what it does, or an example. */
  readonly help?: ReactNode
  readonly rules?: NonNullable<FormItemProps['rules']>
  /** `checked` for switches and check boxes. */
  readonly valuePropName?: string
  readonly children: ReactElement
}

/** What is no single input takes its name from here: its `id` with `-label` behind. */
function labelId(name: FormItemProps['name']): string {
  return `${Array.isArray(name) ? name.join('_') : String(name)}-label`
}

/** One labelled field of a form, with the words for "required" in one place. */
export function Field({
  name,
  label,
  isRequired = false,
  help,
  rules = [],
  valuePropName,
  children,
}: FieldProps) {
  const t = sharedMessages.use()
  const required = isRequired
    ? [{ required: true, whitespace: true, message: t('form.required', { field: label }) }]
    : []
  return (
    <Form.Item
      name={name}
      label={label !== '' && <span id={labelId(name)}>{label}</span>}
      extra={help}
      rules={[...required, ...rules]}
      valuePropName={valuePropName ?? 'value'}
      validateFirst
    >
      {children}
    </Form.Item>
  )
}
