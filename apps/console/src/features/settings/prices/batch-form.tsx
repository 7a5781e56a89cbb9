import { Form, Modal } from 'antd'
import { settingMessages } from '../i18n/index.ts'
import { ToolFields } from './extra-fields.tsx'
import type { PriceUnit } from './part-labels.ts'
import { batchedRow, type PriceFormValue, type PricedRow, hasAnyValue } from './price-entry.ts'
import { ModeField, PartFields } from './price-form.tsx'
import styles from './price-form.module.css'
import { modeOf } from './price-rows.ts'

const WIDTH_PX = 680

interface BatchFormProps {
  readonly rows: readonly PricedRow[]
  readonly toolNames: readonly string[]
  readonly unit: PriceUnit
  readonly onApply: (rows: readonly PricedRow[]) => void
  readonly onClose: () => void
}

/** Sets prices of several models at once. A field left empty keeps each model's own value. */
export function BatchForm({ rows, toolNames, unit, onApply, onClose }: BatchFormProps) {
  const t = settingMessages.use()
  const [form] = Form.useForm<PriceFormValue>()
  const mode = Form.useWatch('mode', form) ?? 'usage'

  function apply(entered: PriceFormValue) {
    const priced = rows.map((row) => batchedRow(entered, row, unit))
    const field = mode === 'call' ? 'price' : 'ratio'
    const fault = hasAnyValue(entered) ? t('prices.number') : t('prices.batchNothing')
    if (!hasAnyValue(entered) || priced.some((row) => modeOf(row) !== mode)) return refuse(field, fault)
    onApply(priced)
  }

  function refuse(field: 'price' | 'ratio', fault: string) {
    form.setFields([{ name: field, errors: [fault] }])
    form.scrollToField(field, { block: 'center', focus: true })
  }

  return (
    <Modal
      open
      centered
      width={WIDTH_PX}
      title={t('prices.batch', { count: rows.length })}
      okText={t('prices.apply')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form<PriceFormValue>
        form={form}
        layout="vertical"
        className={styles.scroll}
        initialValues={{ mode: 'usage' }}
        onFinish={apply}
      >
        <ModeField />
        <PartFields mode={mode} unit={unit} />
        <ToolFields names={toolNames} inherited={undefined} />
      </Form>
    </Modal>
  )
}
