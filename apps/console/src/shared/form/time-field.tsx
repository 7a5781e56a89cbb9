import { checkRule } from './check-rule.ts'
import { Form, type FormItemProps, type FormRule } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { Field } from './field.tsx'
import { TIME_FORMAT, TimePicker } from './time-picker.tsx'

interface TimeFieldProps {
  readonly name: string
  readonly label: string
  /** The meaning of an empty field, such as `Never`. */
  readonly placeholder: string
  /** Rejects a past time, unless the form was opened with it. */
  readonly isFuture?: boolean
  readonly rules?: NonNullable<FormItemProps['rules']>
}

/** A time field. Text that is not a time is an error when the field is left and when the form is sent. */
export function TimeField({ name, label, placeholder, isFuture = false, rules = [] }: TimeFieldProps) {
  const t = sharedMessages.use()
  const form = Form.useFormInstance()
  const [initial] = useState<unknown>(() => form.getFieldValue(name))
  const example = dayjs().add(1, 'month').startOf('hour').format(TIME_FORMAT)
  const readable = timeRule((time) => time.isValid(), t('time.unreadable', { example }))
  const future = timeRule((time) => isSameTime(time, initial) || time.isAfter(dayjs()), t('time.past'))
  return (
    <Field
      name={name}
      label={label}
      validateTrigger="onBlur"
      rules={[readable, ...(isFuture ? [future] : []), ...rules]}
    >
      <TimePicker placeholder={placeholder} />
    </Field>
  )
}

function timeRule(isGood: (time: Dayjs) => boolean, message: string): FormRule {
  return checkRule((time) => !dayjs.isDayjs(time) || isGood(time), message)
}

function isSameTime(time: Dayjs, other: unknown): boolean {
  return dayjs.isDayjs(other) && time.isSame(other)
}
