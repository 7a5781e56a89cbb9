import { findListPrice } from '@tollgate/billing/fee-prices'
import { findFeeRow } from '@tollgate/catalogue/fees/fee-rows'
import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import { Checkbox, Form } from 'antd'
import { NumberInput } from '../../../shared/form/number-input.tsx'
import { useNumberRules } from '../../../shared/form/number-rules.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import { RowLines } from '../../../shared/rows/row-lines.tsx'
import type { Row } from '../../../shared/rows/row-shapes.ts'
import { settingMessages } from '../i18n/index.ts'
import { partLabels, type PriceUnit } from './part-labels.ts'
import { type PriceFormValue, type EntryUnits, missingBases, tiersOfRows } from './price-entry.ts'
import type { PriceExtras, LengthTier, Named } from './price-extras.ts'
import styles from './price-form.module.css'

interface ExtraFieldsProps {
  readonly mode: PriceFormValue['mode']
  readonly units: EntryUnits
  readonly book: PriceExtras
  readonly model: string
}

/**
 * Prices for tools, service tiers and long calls. An empty field follows the more general entry, which is
 * shown as its placeholder.
 */
export function ExtraFields({ mode, units, book, model }: ExtraFieldsProps) {
  const t = settingMessages.use()
  const { amountOrEmpty } = useNumberRules()
  const inherited = book.inherited(model)
  return (
    <>
      {mode === 'usage' && <Lengths unit={units.lengths} inherited={inherited.lengths} />}
      <section className={styles.group}>
        <h3>{t('word.tiers')}</h3>
        <p>{t(units.tiers === 'ratio' ? 'prices.tiersRatio' : tierHelp[mode])}</p>
        <div className={styles.fields}>
          {book.tierNames.map((tier) => (
            <Form.Item key={tier} name={['tiers', tier]} label={<code>{tier}</code>} rules={[amountOrEmpty]}>
              <NumberInput
                className={styles.number ?? ''}
                prefix={units.tiers === 'money' ? '$' : '×'}
                placeholder={inheritedText(inherited.tiers, tier, '× ')}
              />
            </Form.Item>
          ))}
        </div>
      </section>
      <ToolFields names={book.toolNames} inherited={inherited.tools} model={model} />
    </>
  )
}

const tierHelp = { usage: 'prices.tiersUsage', call: 'prices.tiersCall' } as const

interface ToolFieldsProps {
  readonly names: readonly string[]
  /** `undefined` when several models are edited. */
  readonly inherited: Named | undefined
  readonly model?: string
}

export function ToolFields({ names, inherited, model = '' }: ToolFieldsProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const { amountOrEmpty } = useNumberRules()
  const emptyFee = (own: Named, tool: string) => {
    const price = emptyPrice(own, tool, model)
    if (price === undefined || price === 0) return '–'
    return own[tool] === undefined ? t('prices.listPrice', { price }) : String(price)
  }
  return (
    <section className={styles.group}>
      <h3>{t('prices.tools')}</h3>
      <p>{t('prices.toolsText')}</p>
      <div className={styles.fields}>
        {names.map((tool) => (
          <Form.Item
            key={tool}
            name={['tools', tool]}
            label={<span title={tool}>{formatFee(tool, language)}</span>}
            rules={[amountOrEmpty]}
          >
            <NumberInput
              className={styles.number ?? ''}
              prefix="$"
              placeholder={inherited === undefined ? t('prices.unchanged') : emptyFee(inherited, tool)}
            />
          </Form.Item>
        ))}
      </div>
    </section>
  )
}

/** The wider entry, of this fee or of all fees of its kind, or the list price. */
function emptyPrice(inherited: Named, name: string, model: string): number | undefined {
  const row = findFeeRow(name)
  const common = row?.commonName === undefined ? undefined : inherited[row.commonName]
  const own = inherited[name] ?? common
  if (own !== undefined || row === undefined) return own
  const price = findListPrice(row, model)
  return price === undefined ? undefined : Number(price)
}

function inheritedText(inherited: Named, name: string, sign: string): string {
  const value = inherited[name] ?? 0
  return value === 0 ? '–' : `${sign}${value}`
}

interface LengthsProps {
  readonly unit: PriceUnit
  readonly inherited: readonly LengthTier[] | undefined
}

function Lengths({ unit, inherited = [] }: LengthsProps) {
  const t = settingMessages.use()
  const form = Form.useFormInstance<PriceFormValue>()
  const hasNone = Form.useWatch('hasNoLengths', form) === true
  const bases = ['ratio', 'completion', 'cache'] as const
  const sign = unit === 'money' ? '$' : '×'
  const columns = [t('prices.above'), ...bases.map((base) => `${t(partLabels.money[base])} ${sign}`)]

  /** Checks all rows together on submit; each row shows its own mistakes. */
  function check(rows: readonly Row[] = []): Promise<void> {
    if (hasNone) return Promise.resolve()
    const tiers = tiersOfRows(rows)
    const isWhole = tiers !== undefined && new Set(tiers.map(({ above }) => above)).size === tiers.length
    if (!isWhole) return Promise.reject(new Error(t('prices.lengthsWrong')))
    const [missing] = unit === 'money' ? missingBases({ ...form.getFieldsValue(true), lengths: rows }) : []
    if (missing === undefined) return Promise.resolve()
    return Promise.reject(new Error(t('prices.lengthsBase', { part: t(partLabels.money[missing]) })))
  }

  return (
    <section className={styles.group}>
      <h3>{t('prices.lengths')}</h3>
      <p>{t(unit === 'money' ? 'prices.lengthsMoney' : 'prices.lengthsRatio')}</p>
      {inherited.length > 0 && (
        <>
          <p>{t('prices.lengthsFollow', { lengths: inherited.map(lengthText).join('; ') })}</p>
          <Form.Item name="hasNoLengths" valuePropName="checked" noStyle>
            <Checkbox>{t('prices.lengthsNone')}</Checkbox>
          </Form.Item>
        </>
      )}
      {!hasNone && (
        <Form.Item
          name="lengths"
          validateTrigger="onSubmit"
          rules={[{ validator: (_rule, rows: readonly Row[] | undefined) => check(rows) }]}
        >
          <LengthLines columns={columns} />
        </Form.Item>
      )}
    </section>
  )
}

interface LengthLinesProps {
  readonly columns: readonly string[]
  readonly value?: readonly Row[]
  readonly onChange?: (rows: readonly Row[]) => void
}

/** The surrounding form field passes in the value. */
function LengthLines({ columns, value = [], onChange }: LengthLinesProps) {
  return (
    <div className={styles.lines}>
      <RowLines
        shape="tiers"
        columns={columns}
        rows={value}
        accepts={(row) => tiersOfRows([row]) !== undefined}
        onChange={(rows) => onChange?.(rows)}
      />
    </div>
  )
}

function lengthText({ above, input, output, cache }: LengthTier): string {
  return `> ${groupedInteger(above)}: × ${input} · × ${output} · × ${cache ?? input}`
}
