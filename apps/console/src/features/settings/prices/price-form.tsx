import { checkRule } from '../../../shared/form/check-rule.ts'
import { Form, Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { NumberInput } from '../../../shared/form/number-input.tsx'
import { useNumberRules } from '../../../shared/form/number-rules.ts'
import { settingMessages } from '../i18n/index.ts'
import { ExtraFields } from './extra-fields.tsx'
import { partLabels, type PriceUnit } from './part-labels.ts'
import type { EffectivePrices } from './effective-price.ts'
import { emptyText } from './empty-text.ts'
import { type PriceFormValue, enteredOf, hasLengthPrices, hasTierPrices, pricedRow } from './price-entry.ts'
import type { PricedRow } from './price-entry.ts'
import { type PriceExtras, noExtras } from './price-extras.ts'
import styles from './price-form.module.css'
import { modeOf, type PricePart, usageParts } from './price-rows.ts'

const WIDTH_PX = 680
/** Scrolls the first faulty field to the centre, because fields scroll under the fixed buttons. */
const FIRST_ERROR = { block: 'center', focus: true } as const
const newRow: PricedRow = { model: '', parts: {}, extras: noExtras }

interface PriceFormProps {
  /** `undefined`: the reader enters a new model. */
  readonly row: PricedRow | undefined
  readonly extras: PriceExtras
  readonly effective: EffectivePrices
  readonly unit: PriceUnit
  readonly isTaken: (model: string) => boolean
  readonly onApply: (row: PricedRow) => void
  readonly onClose: () => void
}

/**
 * Edits the whole price of one model: per call or by usage, with its tools, tiers and long calls, in the unit
 * of the table.
 */
export function PriceForm({ row, extras, effective, unit, isTaken, onApply, onClose }: PriceFormProps) {
  const t = settingMessages.use()
  const [form] = Form.useForm<PriceFormValue>()
  const before = row ?? newRow
  const [units] = useState({
    parts: unit,
    tiers: hasTierPrices(before) ? unit : 'ratio',
    lengths: hasLengthPrices(before) ? unit : 'ratio',
  } as const)
  const first = modeOf(before) === 'call' ? 'call' : 'usage'
  const mode = Form.useWatch('mode', form) ?? first
  const model = Form.useWatch('model', form)?.trim() ?? before.model
  const values = Form.useWatch((all: PriceFormValue) => all, form)
  const entered: PriceFormValue = { ...(values ?? enteredOf(before, units)), mode }

  return (
    <Modal
      open
      centered
      width={WIDTH_PX}
      title={row === undefined ? t('prices.add') : t('prices.edit', { model: row.model })}
      okText={t('prices.apply')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form<PriceFormValue>
        form={form}
        layout="vertical"
        className={styles.scroll}
        scrollToFirstError={FIRST_ERROR}
        initialValues={{ ...enteredOf(before, units), mode: first }}
        onFinish={(entered) => onApply(pricedRow(entered, { ...before, model }, units))}
      >
        {row === undefined && <ModelField isTaken={isTaken} />}
        <ModeField />
        <p className={styles.help}>{t('prices.emptyHelp')}</p>
        <PartFields
          mode={mode}
          unit={unit}
          emptyOf={(part) => emptyText(part, { entered, before: { ...before, model }, unit, effective, t })}
        />
        <ExtraFields mode={mode} units={units} book={extras} model={model} />
      </Form>
    </Modal>
  )
}

function ModelField({ isTaken }: { readonly isTaken: (model: string) => boolean }) {
  const t = settingMessages.use()
  return (
    <Form.Item
      name="model"
      label={t('word.model')}
      extra={t('prices.modelHelp')}
      rules={[
        { required: true, whitespace: true, message: t('prices.modelMissing') },
        checkRule((name: string | undefined) => !isTaken(name?.trim() ?? ''), t('prices.modelTaken')),
      ]}
    >
      <Input className="code" />
    </Form.Item>
  )
}

export function ModeField() {
  const t = settingMessages.use()
  return (
    <Form.Item name="mode" label={t('prices.mode')}>
      <Radio.Group
        options={[
          { value: 'usage', label: t('word.byUsage') },
          { value: 'call', label: t('word.byCall') },
        ]}
      />
    </Form.Item>
  )
}

interface PartFieldsProps {
  readonly mode: PriceFormValue['mode']
  readonly unit: PriceUnit
  /**
   * Returns the value that applies to a part left empty. Absent when several models are edited, because each
   * keeps its own value.
   */
  readonly emptyOf?: (part: PricePart) => string
}

export function PartFields({ mode, unit, emptyOf }: PartFieldsProps) {
  const t = settingMessages.use()
  const { amountOrEmpty } = useNumberRules()
  const isBatch = emptyOf === undefined
  const number = { required: !isBatch, message: t('prices.number') }
  const notZero = checkRule((value) => value !== 0, t('prices.notZero'))
  const placeholder = (part: PricePart) => emptyOf?.(part) ?? t('prices.unchanged')
  if (mode === 'call') {
    return (
      <Form.Item name="price" label={t('prices.price')} rules={[number, amountOrEmpty, notZero]}>
        <NumberInput className={styles.number ?? ''} prefix="$" placeholder={placeholder('price')} />
      </Form.Item>
    )
  }
  return (
    <div className={styles.fields}>
      {usageParts.map((part) => (
        <Form.Item
          key={part}
          name={part}
          label={t(partLabels[unit][part])}
          rules={part === 'ratio' ? [number, amountOrEmpty] : [amountOrEmpty]}
        >
          <NumberInput
            className={styles.number ?? ''}
            prefix={unit === 'money' ? '$' : undefined}
            placeholder={placeholder(part)}
          />
        </Form.Item>
      ))}
    </div>
  )
}
