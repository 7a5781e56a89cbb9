import { alertRoutes, type Receiver } from '@tollgate/contract/alert'
import {
  isAllowed,
  RECEIVER_KINDS,
  RECEIVER_NAME_CHARACTERS_MAX,
  type ReceiverField,
  receiverForms,
  type ReceiverKind,
} from '@tollgate/contract/alert-receivers'
import { Form, type FormInstance, Input, Select } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { checkRule } from '../../../shared/form/check-rule.ts'
import { Field } from '../../../shared/form/field.tsx'
import { ResourceForm } from '../../../shared/form/resource-form.tsx'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { settingMessages } from '../i18n/index.ts'
import { useRefreshReceivers } from './api.ts'
import {
  type EnteredSecret,
  emptyFields,
  newReceiverValue,
  type ReceiverFormValue,
  receiverValueOf,
  sentFields,
  textOf,
} from './form-value.ts'
import { SecretInput } from './secret-input.tsx'

interface ReceiverFormProps {
  /** `undefined`: a new one. */
  readonly receiver: Receiver | undefined
  readonly onClose: () => void
}

/** Adds a receiver of alerts, or edits one. */
export function ReceiverForm({ receiver, onClose }: ReceiverFormProps) {
  const t = settingMessages.use()
  const refresh = useRefreshReceivers()

  async function save(value: ReceiverFormValue, { operationKey }: { readonly operationKey: string }) {
    const { name, kind } = value
    const fields = sentFields(value)
    if (receiver === undefined)
      await api.call(alertRoutes.createReceiver, { body: { name, kind, fields }, operationKey })
    else await api.call(alertRoutes.updateReceiver, { params: { id: receiver.id }, body: { name, fields } })
    notifyDone(t('receiver.saved', { name: name.trim() }))
    onClose()
    await refresh()
  }

  return (
    <ResourceForm<ReceiverFormValue>
      title={receiver === undefined ? t('receiver.new') : t('receiver.edit', { name: receiver.name })}
      initialValue={receiver === undefined ? newReceiverValue('mail') : receiverValueOf(receiver)}
      isEdit={receiver !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => <Fields form={form} receiver={receiver} />}
    </ResourceForm>
  )
}

interface FieldsProps {
  readonly form: FormInstance<ReceiverFormValue>
  readonly receiver: Receiver | undefined
}

function Fields({ form, receiver }: FieldsProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const kind = Form.useWatch('kind', form) ?? receiver?.kind ?? 'mail'
  return (
    <>
      <Field name="kind" label={t('receiver.kind')}>
        <Select<ReceiverKind>
          disabled={receiver !== undefined}
          options={RECEIVER_KINDS.map((value) => ({ value, label: receiverForms[value].title[language] }))}
          onChange={(chosen) => form.setFieldValue('fields', emptyFields(chosen))}
        />
      </Field>
      <Field
        name="name"
        label={t('receiver.name')}
        help={t('receiver.nameHelp')}
        isRequired
        maxCharacters={RECEIVER_NAME_CHARACTERS_MAX}
      >
        <Input />
      </Field>
      {Object.entries(receiverForms[kind].fields).map(([name, field]) => (
        <KindField
          key={`${kind} ${name}`}
          name={name}
          field={field}
          isStored={receiver?.secrets.includes(name) === true}
        />
      ))}
    </>
  )
}

interface KindFieldProps {
  readonly name: string
  readonly field: ReceiverField
  /** A secret that is kept unless another one is entered. */
  readonly isStored: boolean
}

function KindField({ name, field, isStored }: KindFieldProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const label = field.label[language]
  const rule = checkRule(
    (value: string | EnteredSecret | undefined) =>
      (value === undefined && isStored) || isAllowed(field, textOf(value)?.trim() ?? ''),
    t(`receiver.wrong.${field.form}`, { field: label }),
  )
  return (
    <Field
      name={['fields', name]}
      label={field.isRequired ? label : t('receiver.optional', { field: label })}
      help={field.help[language]}
      rules={[{ ...rule, required: field.isRequired && !isStored }]}
      validateTrigger="onBlur"
    >
      {field.isSecret ? <SecretInput isStored={isStored} isRequired={field.isRequired} /> : <Input />}
    </Field>
  )
}
