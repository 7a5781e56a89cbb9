import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import type { PricingRow } from '@tollgate/contract/pricing'
import { InputNumber, Select } from 'antd'
import { useState } from 'react'
import { dollarAmount, groupedInteger } from '../../../shared/format/money.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useStatus } from '../../../shared/session/status.ts'
import type { PriceGroup } from '../api.ts'
import { pricingMessages } from '../i18n/index.ts'
import { inQuality, isBySecond, type LineName } from '../prices.ts'
import { estimateUnits, linesOfCall, type Tokens } from './estimate.ts'
import styles from './page.module.css'

const FIRST_TOKENS: Tokens = { input: 1000, output: 500 }
const FIELD_MAX = 1_000_000_000
/** The service tier of a response that names none. */
const ORDINARY = 'default'
const FIRST_SECONDS = 5

/**
 * Estimates the cost of a call from its tokens or seconds, service tier and tool calls. It uses the same rule
 * as the charge.
 */
export function Calculator({ row, group }: { readonly row: PricingRow; readonly group: PriceGroup }) {
  const t = pricingMessages.use()
  const language = useLanguage()
  const { rule } = useMoney()
  const { quota_per_unit: unitsPerCurrency } = useStatus()
  const [tokens, setTokens] = useState<Tokens>(FIRST_TOKENS)
  const [calls, setCalls] = useState(1000)
  const [used, setUsed] = useState<Readonly<Record<string, number>>>({})
  const [tier, setTier] = useState(ORDINARY)
  const [quality, setQuality] = useState('')
  const [seconds, setSeconds] = useState(FIRST_SECONDS)
  const qualities = ['', ...row.quality_prices.map((price) => price.quality)]
  const priced = inQuality(row, quality)
  const isTimed = isBySecond(priced)
  const tiers = [ORDINARY, ...Object.keys(row.tier_ratios)]
  const tools = Object.keys(row.tool_prices)
  const lines = linesOfCall(priced, group.ratio, tokens)
  const sample = {
    tokens,
    seconds: isTimed ? seconds : undefined,
    toolCalls: used,
    serviceTier: tier === ORDINARY ? undefined : tier,
  }
  const units = estimateUnits(priced, sample, { groupRatio: group.ratio, quotaPerUnit: unitsPerCurrency })
  const one = units / unitsPerCurrency
  const text = (cost: number) =>
    rule.isCurrency ? dollarAmount(cost) : groupedInteger(Math.round(cost * unitsPerCurrency))
  return (
    <section className={`${styles.section} ${styles.calculator}`}>
      <h2>{t('model.calculator')}</h2>
      <p className="muted">{t('model.calculatorText')}</p>
      <div className="stack-8">
        {lines.map(({ name }) =>
          name === 'call' ? null : (
            <Field
              key={name}
              label={t(`line.${name}`)}
              value={tokens[name] ?? 0}
              onChange={(value) => setTokens(withTokens(tokens, name, value))}
            />
          ),
        )}
        {qualities.length > 1 && (
          <label className={styles.field}>
            <span>{t('model.quality')}</span>
            <Select
              value={quality}
              options={qualities.map((value) => ({ value, label: value || t('model.anyQuality') }))}
              onChange={setQuality}
            />
          </label>
        )}
        {isTimed && <Field label={t('model.seconds')} value={seconds} onChange={setSeconds} />}
        {tiers.length > 1 && (
          <label className={styles.field}>
            <span>{t('model.tier')}</span>
            <Select value={tier} options={tiers.map((value) => ({ value }))} onChange={setTier} />
          </label>
        )}
        <Field label={t('word.calls')} value={calls} onChange={setCalls} />
      </div>
      {tools.length > 0 && (
        <details className={styles.tools}>
          <summary>{t('model.toolCalls')}</summary>
          <div className="stack-8">
            {tools.map((tool) => (
              <Field
                key={tool}
                label={formatFee(tool, language)}
                value={used[tool] ?? 0}
                onChange={(value) => setUsed({ ...used, [tool]: value })}
              />
            ))}
          </div>
        </details>
      )}
      <dl className={`${styles.result} number`} aria-live="polite">
        <dt>{t('model.oneCall')}</dt>
        <dd>{text(one)}</dd>
        <dt>{t('model.allCalls')}</dt>
        <dd>
          <strong>{text(one * calls)}</strong>
        </dd>
      </dl>
    </section>
  )
}

function withTokens(tokens: Tokens, name: LineName, value: number): Tokens {
  return { ...tokens, [name]: value }
}

interface FieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function Field({ label, value, onChange }: FieldProps) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <InputNumber
        min={0}
        max={FIELD_MAX}
        precision={0}
        value={value}
        onChange={(entered) => onChange(entered ?? 0)}
      />
    </label>
  )
}
