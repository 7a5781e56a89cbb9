import { Button, Checkbox, Input, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { channelMessages } from '../i18n/index.ts'
import { byFamily } from './families.ts'
import styles from './models.module.css'

interface ModelPickerProps {
  readonly title: string
  /** The models to choose from, besides those in `chosen`. */
  readonly offered: readonly string[]
  readonly chosen: readonly string[]
  readonly preselected: readonly string[]
  readonly onChoose: (models: readonly string[]) => void
  readonly onClose: () => void
}

type View = 'all' | 'new' | 'gone'

/** Lists models by category. For an upstream's list it also shows which models are new and which are gone. */
export function ModelPicker({ title, offered, chosen, preselected, onChoose, onClose }: ModelPickerProps) {
  const t = channelMessages.use()
  const [draft, setDraft] = useState<ReadonlySet<string>>(new Set(preselected))
  const [text, setText] = useState('')
  const [view, setView] = useState<View>('all')
  const views: Record<View, readonly string[]> = {
    all: [...new Set([...offered, ...chosen])],
    new: offered.filter((model) => !chosen.includes(model)),
    gone: chosen.filter((model) => !offered.includes(model)),
  }
  const wanted = text.trim().toLowerCase()
  const visible = views[view].filter((model) => model.toLowerCase().includes(wanted))
  const setAll = (models: readonly string[], isIn: (model: string) => boolean) => {
    const next = new Set(draft)
    for (const model of models) {
      if (isIn(model)) next.add(model)
      else next.delete(model)
    }
    setDraft(next)
  }

  return (
    <Modal
      open
      width={760}
      title={title}
      okText={t('picker.use', { count: draft.size })}
      cancelText={t('cancel')}
      onCancel={onClose}
      onOk={() => {
        onChoose(views.all.filter((model) => draft.has(model)))
        onClose()
      }}
    >
      <div className="wrap-8">
        <Input
          allowClear
          className={styles.search}
          value={text}
          placeholder={t('word.model')}
          aria-label={t('word.model')}
          onChange={(event) => setText(event.target.value)}
        />
        <Segmented<View>
          value={view}
          options={(['all', 'new', 'gone'] as const).map((value) => ({
            value,
            label: t(`picker.${value}`, { count: views[value].length }),
          }))}
          onChange={setView}
        />
        <Button onClick={() => setAll(visible, () => true)}>{t('picker.selectAll')}</Button>
        <Button onClick={() => setAll(visible, (model) => !draft.has(model))}>{t('picker.invert')}</Button>
      </div>
      <div className={styles.families}>
        {byFamily(visible).map(({ name, models }) => (
          <section key={name}>
            <Checkbox
              className={styles.family}
              checked={models.every((model) => draft.has(model))}
              indeterminate={
                models.some((model) => draft.has(model)) && !models.every((model) => draft.has(model))
              }
              onChange={(event) => setAll(models, () => event.target.checked)}
            >
              {name === '' ? t('picker.others') : name} · {models.length}
            </Checkbox>
            <div className={styles.models}>
              {models.map((model) => (
                <Checkbox
                  key={model}
                  className="code"
                  checked={draft.has(model)}
                  onChange={(event) => setAll([model], () => event.target.checked)}
                >
                  {model}
                </Checkbox>
              ))}
            </div>
          </section>
        ))}
        {visible.length === 0 && <EmptyState title={t('picker.none')} />}
      </div>
    </Modal>
  )
}
