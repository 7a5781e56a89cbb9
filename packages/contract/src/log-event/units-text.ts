import { fillPlaces } from './fill-places.ts'
import { type Language, oldAmounts } from './texts.ts'

/** An amount within a sentence when currency display is off. */
export function unitsText(digits: string, language: Language): string {
  return fillPlaces(oldAmounts.units[language], { digits })
}
