import { lessonMessages } from './i18n.ts'

/**
 * The text of a learned request adaptation, such as `refuses:temperature`, in the reader's language; an
 * unknown one is shown unchanged.
 */
export function useLessonText(): (lesson: string) => string {
  const t = lessonMessages.use()
  return (lesson) => {
    const [trait, value = ''] = lesson.split(':')
    if (trait === 'refuses') return t('refuses', { member: value })
    if (trait === 'extra_input') return t('extraInput', { member: value })
    if (trait === 'tool_description') return t('toolDescription', { count: value })
    if (lesson === 'whole_texts:true') return t('wholeTexts')
    if (lesson === 'betas:usual') return t('betas')
    if (trait === 'output_limit') return t('outputLimit', { member: value })
    if (lesson === 'system_role:system') return t('systemRole')
    if (lesson === 'system_role:developer') return t('developerRole')
    if (lesson === 'system_messages:reminders') return t('reminders')
    if (lesson === 'streams:always') return t('streams')
    if (lesson === 'joined_texts:true') return t('joinedTexts')
    return lesson === 'responses:false' ? t('withoutResponses') : lesson
  }
}
