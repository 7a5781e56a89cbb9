import { TOKEN_PARALLEL_MAX, TOKEN_RPM_MAX, TOKEN_TPM_MAX } from '@tollgate/contract/token'
import { Form, type FormInstance, Select } from 'antd'
import { Field } from '../../shared/form/field.tsx'
import { NumberInput } from '../../shared/form/number-input.tsx'
import { useNumberRules } from '../../shared/form/number-rules.ts'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import type { TokenFormValue } from './form-value.ts'
import { tokenMessages } from './i18n.ts'
import styles from './token-form.module.css'

const PERIODS = ['', 'day', 'week', 'month'] as const

/** Limits besides the quota: requests and tokens per minute, concurrent requests, and a budget per period. */
export function LimitFields({ form }: { readonly form: FormInstance<TokenFormValue> }) {
  const t = tokenMessages.use()
  const { wholeOrEmpty } = useNumberRules()
  const period = Form.useWatch('budgetPeriod', form)
  return (
    <>
      <div className={styles.row}>
        <Field
          name="callsPerMinute"
          label={t('form.rpm')}
          rules={[wholeOrEmpty({ min: 1, max: TOKEN_RPM_MAX })]}
        >
          <NumberInput placeholder={t('form.noLimit')} />
        </Field>
        <Field
          name="tokensPerMinute"
          label={t('form.tpm')}
          rules={[wholeOrEmpty({ min: 1, max: TOKEN_TPM_MAX })]}
        >
          <NumberInput placeholder={t('form.noLimit')} />
        </Field>
        <Field
          name="parallelCalls"
          label={t('form.parallel')}
          rules={[wholeOrEmpty({ min: 1, max: TOKEN_PARALLEL_MAX })]}
        >
          <NumberInput placeholder={t('form.noLimit')} />
        </Field>
      </div>
      <Field name="budgetPeriod" label={t('form.budget')} help={t('form.budgetHelp')}>
        <Select options={PERIODS.map((value) => ({ value, label: t(periodLabels[value]) }))} />
      </Field>
      {period !== '' && (
        <Field
          name="budgetUnits"
          label={t('form.budgetQuota')}
          rules={[{ type: 'number', min: 1, message: t('form.budgetMissing') }]}
        >
          <QuotaInput />
        </Field>
      )}
    </>
  )
}

const periodLabels = {
  '': 'budget.none',
  day: 'budget.day',
  week: 'budget.week',
  month: 'budget.month',
} as const
