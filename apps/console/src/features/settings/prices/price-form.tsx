import { Form, Input, InputNumber, Modal, Radio } from 'antd'
import { useState } from 'react'
import { settingMessages } from '../i18n.ts'
import { partLabels, type PriceUnit } from './part-labels.ts'
import { modeOf, type PricePart, type PriceRow, usageParts } from './price-rows.ts'
import { pricesOf, ratiosOf } from './price-units.ts'

interface PriceFormProps {
  /** Undefined: a model that is entered here. Several: all of them get this price. */
  readonly models: readonly string[] | undefined
  readonly parts: PriceRow['parts']
  readonly unit: PriceUnit
  readonly isTaken: (model: string) => boolean
  readonly onApply: (models: readonly string[], parts: PriceRow['parts']) => void
  readonly onClose: () => void
}

interface Entered extends Partial<Record<PricePart, number | null>> {
  readonly model?: string
  readonly mode: 'call' | 'usage'
}

/** The price of one model, or of several at once: by the call, or by usage in the unit of the table. */
export function PriceForm({ models, parts, unit, isTaken, onApply, onClose }: PriceFormProps) {
  const t = settingMessages.use()
  const [form] = Form.useForm<Entered>()
  const [mode, setMode] = useState(modeOf({ model: '', parts }) === 'call' ? 'call' : 'usage')
  const shown = unit === 'money' ? pricesOf(parts) : parts

  function apply(value: Entered) {
    const told = numbersOf(value)
    const names = models ?? [value.model?.trim() ?? '']
    onApply(names, unit === 'money' ? ratiosOf(told) : told)
  }

  return (
    <Modal
      open
      title={titleOf(t, models)}
      okText={t('prices.apply')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form<Entered> form={form} layout="vertical" initialValues={{ ...shown, mode }} onFinish={apply}>
        {models === undefined && (
          <Form.Item
            name="model"
            label={t('prices.model')}
            rules={[
              { required: true, whitespace: true, message: t('prices.modelMissing') },
              {
                validator: (_rule, name: string | undefined) =>
                  isTaken(name?.trim() ?? '')
                    ? Promise.reject(new Error(t('prices.modelTaken')))
                    : Promise.resolve(),
              },
            ]}
          >
            <Input className="code" />
          </Form.Item>
        )}
        <Form.Item name="mode" label={t('prices.mode')}>
          <Radio.Group
            options={[
              { value: 'usage', label: t('prices.byUsage') },
              { value: 'call', label: t('prices.byCall') },
            ]}
            onChange={(event) => setMode(event.target.value === 'call' ? 'call' : 'usage')}
          />
        </Form.Item>
        {mode === 'call' ? (
          <Form.Item
            name="price"
            label={t('prices.price')}
            rules={[
              { required: true, message: t('prices.number') },
              {
                validator: (_rule, value) =>
                  value === 0 ? Promise.reject(new Error(t('prices.notZero'))) : Promise.resolve(),
              },
            ]}
          >
            <InputNumber min={0} stringMode={false} style={{ width: '100%' }} prefix="$" />
          </Form.Item>
        ) : (
          usageParts.map((part) => (
            <Form.Item
              key={part}
              name={part}
              label={t(partLabels[unit][part])}
              rules={part === 'ratio' ? [{ required: true, message: t('prices.number') }] : []}
            >
              <InputNumber
                min={0}
                style={{ width: '100%' }}
                {...(unit === 'money' && { prefix: '$' })}
                {...(part !== 'ratio' && { placeholder: t('prices.builtIn') })}
              />
            </Form.Item>
          ))
        )}
      </Form>
    </Modal>
  )
}

function titleOf(t: ReturnType<typeof settingMessages.use>, models: readonly string[] | undefined): string {
  if (models === undefined) return t('prices.add')
  const [first = ''] = models
  return models.length === 1
    ? t('prices.edit', { model: first })
    : t('prices.batch', { count: models.length })
}

/** What the mode uses and has a number. */
function numbersOf(value: Entered): PriceRow['parts'] {
  const used: readonly PricePart[] = value.mode === 'call' ? ['price'] : usageParts
  return Object.fromEntries(
    used.flatMap((part) => {
      const entered = value[part]
      return typeof entered === 'number' ? [[part, entered] as const] : []
    }),
  )
}
