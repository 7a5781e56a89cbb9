import { checkRule } from '../../shared/form/check-rule.ts'
import {
  type Redemption,
  REDEMPTION_COUNT_MAX,
  REDEMPTION_KEY_CHARACTERS_MAX,
  REDEMPTION_NAME_CHARACTERS_MAX,
  redemptionRoutes,
  UNLIMITED_USES,
} from '@tollgate/contract/redemption'
import { Form, type FormInstance, Input, Switch } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { CountField } from '../../shared/form/count-field.tsx'
import { Field } from '../../shared/form/field.tsx'
import { NumberInput } from '../../shared/form/number-input.tsx'
import { useNumberRules } from '../../shared/form/number-rules.ts'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import type { ProblemFields } from '../../shared/form/show-at-field.ts'
import { TimeField } from '../../shared/form/time-field.tsx'
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

const USES_MAX = 1_000_000_000

interface CodeFormProps {
  /** `undefined`: new codes are created. */
  readonly code: Redemption | undefined
  readonly onClose: () => void
}

interface Created {
  readonly name: string
  readonly keys: readonly string[]
}

/** Creates codes, or edits an unused one. New codes are shown before the form closes. */
export function CodeForm({ code, onClose }: CodeFormProps) {
  const t = redemptionMessages.use()
  const money = useMoney()
  const refresh = useRefreshRedemptions()
  const [created, setCreated] = useState<Created>()

  async function save(value: CodeFormValue, { operationKey }: { readonly operationKey: string }) {
    if (code === undefined) {
      const body = createBodyOf(value, money.summary(value.quota))
      setCreated({ name: body.name, keys: await api.call(redemptionRoutes.create, { body, operationKey }) })
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
      title={code === undefined ? t('create') : t('form.edit')}
      initialValue={code === undefined ? newCodeValue : formValueOf(code)}
      submitLabel={code === undefined ? t('word.create') : undefined}
      isEdit={code !== undefined}
      problemFields={problemFields}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => <CodeFields form={form} isNew={code === undefined} />}
    </ResourceForm>
  )
}

const problemFields: ProblemFields<CodeFormValue> = {
  name: ['redemption_name_length'],
  quota: ['redemption_quota_out_of_range'],
  count: ['redemption_count_missing', 'redemption_count_exceeded'],
  key: ['redemption_key_taken', 'redemption_key_too_long'],
  maxUses: ['redemption_max_uses_invalid'],
  validUntil: ['redemption_already_over', 'redemption_dates_reversed', 'redemption_date_invalid'],
}

interface CodeFieldsProps {
  readonly form: FormInstance<CodeFormValue>
  readonly isNew: boolean
}

function CodeFields({ form, isNew }: CodeFieldsProps) {
  const t = redemptionMessages.use()
  const { amount } = useNumberRules()
  return (
    <>
      <Field
        name="name"
        label={t('word.name')}
        isRequired={!isNew}
        maxCharacters={REDEMPTION_NAME_CHARACTERS_MAX}
        help={isNew ? t('form.nameHelp') : undefined}
      >
        <Input />
      </Field>
      <Field name="quota" label={t('word.quota')} rules={[amount]}>
        <QuotaInput />
      </Field>
      {isNew && <NewCodeFields form={form} />}
      <TimeField name="validFrom" label={t('column.from')} placeholder={t('form.atOnce')} />
      <TimeField
        name="validUntil"
        label={t('column.until')}
        placeholder={t('form.forEver')}
        isFuture
        rules={[checkRule(() => !areDatesReversed(form.getFieldsValue()), t('form.datesReversed'))]}
      />
    </>
  )
}

function NewCodeFields({ form }: { readonly form: FormInstance<CodeFormValue> }) {
  const t = redemptionMessages.use()
  const { whole } = useNumberRules()
  const key = Form.useWatch('key', form) ?? ''
  const isGift = Form.useWatch('isGift', form) ?? false
  return (
    <>
      <CountField
        name="count"
        label={t('form.count')}
        help={t('form.countHelp', { max: REDEMPTION_COUNT_MAX })}
        max={REDEMPTION_COUNT_MAX}
        isDisabled={key.trim() !== ''}
      />
      <Field
        name="key"
        label={t('form.key')}
        help={t('form.keyHelp')}
        maxCharacters={REDEMPTION_KEY_CHARACTERS_MAX}
      >
        <Input className="code" />
      </Field>
      <Field name="isGift" label={t('form.isGift')} help={t('form.isGiftHelp')} valuePropName="checked">
        <Switch />
      </Field>
      {isGift && (
        <Field
          name="maxUses"
          label={t('form.maxUses')}
          help={t('form.maxUsesHelp')}
          rules={[whole({ min: UNLIMITED_USES, max: USES_MAX })]}
        >
          <NumberInput />
        </Field>
      )}
    </>
  )
}
