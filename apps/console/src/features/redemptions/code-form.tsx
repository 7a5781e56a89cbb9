import {
  type Redemption,
  REDEMPTION_COUNT_MAX,
  REDEMPTION_KEY_CHARACTERS_MAX,
  REDEMPTION_NAME_CHARACTERS_MAX,
  redemptionRoutes,
  UNLIMITED_USES,
} from '@tollgate/contract/redemption'
import { Form, type FormInstance, Input, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { Field } from '../../shared/form/field.tsx'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { TimePicker } from '../../shared/form/time-picker.tsx'
import { useMoney } from '../../shared/format/use-money.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useRefreshRedemptions } from './api.ts'
import { CreatedCodes } from './created-codes.tsx'
import {
  areDatesReversed,
  type CodeFormValue,
  createBodyOf,
  formValueOf,
  newCodeValue,
  updateBodyOf,
} from './form-value.ts'
import { redemptionMessages } from './i18n.ts'

interface CodeFormProps {
  /** Undefined: new ones. */
  readonly code: Redemption | undefined
  readonly onClose: () => void
}

interface Created {
  readonly name: string
  readonly keys: readonly string[]
}

/** Makes codes, or changes an unused one. New codes are shown before the form is gone. */
export function CodeForm({ code, onClose }: CodeFormProps) {
  const t = redemptionMessages.use()
  const money = useMoney()
  const refresh = useRefreshRedemptions()
  const [created, setCreated] = useState<Created>()

  async function save(value: CodeFormValue) {
    if (code === undefined) {
      const body = createBodyOf(value, money.short(value.quota))
      setCreated({ name: body.name, keys: await api.call(redemptionRoutes.create, { body }) })
    } else {
      await api.call(redemptionRoutes.update, { body: updateBodyOf(code, value) })
      notifyDone(t('saved'))
      onClose()
    }
    await refresh()
  }

  if (created !== undefined) return <CreatedCodes {...created} onClose={onClose} />
  return (
    <ResourceForm<CodeFormValue>
      title={code === undefined ? t('form.new') : t('form.edit')}
      initialValue={code === undefined ? newCodeValue : formValueOf(code)}
      {...(code === undefined && { submitLabel: t('form.create') })}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => <CodeFields form={form} isNew={code === undefined} />}
    </ResourceForm>
  )
}

interface CodeFieldsProps {
  readonly form: FormInstance<CodeFormValue>
  readonly isNew: boolean
}

function CodeFields({ form, isNew }: CodeFieldsProps) {
  const t = redemptionMessages.use()
  return (
    <>
      <Field
        name="name"
        label={t('form.name')}
        isRequired={!isNew}
        {...(isNew && { help: t('form.nameHelp') })}
      >
        <Input maxLength={REDEMPTION_NAME_CHARACTERS_MAX} />
      </Field>
      <Field name="quota" label={t('form.quota')}>
        <QuotaInput />
      </Field>
      {isNew && <NewCodeFields form={form} />}
      <Field name="validFrom" label={t('form.validFrom')}>
        <TimePicker placeholder={t('form.atOnce')} />
      </Field>
      <Field
        name="validUntil"
        label={t('form.validUntil')}
        rules={[
          {
            validator: () =>
              areDatesReversed(form.getFieldsValue())
                ? Promise.reject(new Error(t('form.datesReversed')))
                : Promise.resolve(),
          },
        ]}
      >
        <TimePicker placeholder={t('form.forEver')} />
      </Field>
    </>
  )
}

function NewCodeFields({ form }: { readonly form: FormInstance<CodeFormValue> }) {
  const t = redemptionMessages.use()
  const key = Form.useWatch('key', form) ?? ''
  const isGift = Form.useWatch('isGift', form) ?? false
  return (
    <>
      <Field name="count" label={t('form.count')} help={t('form.countHelp', { max: REDEMPTION_COUNT_MAX })}>
        <InputNumber min={1} max={REDEMPTION_COUNT_MAX} precision={0} disabled={key.trim() !== ''} />
      </Field>
      <Field name="key" label={t('form.key')} help={t('form.keyHelp')}>
        <Input className="code" maxLength={REDEMPTION_KEY_CHARACTERS_MAX} />
      </Field>
      <Field name="isGift" label={t('form.isGift')} help={t('form.isGiftHelp')} valuePropName="checked">
        <Switch />
      </Field>
      {isGift && (
        <Field name="maxUses" label={t('form.maxUses')} help={t('form.maxUsesHelp')}>
          <InputNumber min={UNLIMITED_USES} precision={0} />
        </Field>
      )}
    </>
  )
}
