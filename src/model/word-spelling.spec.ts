import { describe, expect, it } from '@jest/globals';
import { oneSpelling } from './word-spelling.js';

describe('oneSpelling', () => {
  it.each([
    ['서울', ['서울에서', '서울은', '서울을', '서울이', '서울로', '서울까지는', '서울에서도', '서울의']],
    ['학교', ['학교가', '학교를', '학교에', '학교와', '학교로', '학교부터', '학교는', '학교에서의']],
    ['김치찌개', ['김치찌개를', '김치찌개는', '김치찌개만', '김치찌개하고', '김치찌개예요']],
    ['집', ['집에', '집에서', '집은', '집을', '집까지', '집으로']],
    ['아이', ['아이나', '아이는', '아이들을']],
    ['고양', ['고양이', '고양이를', '고양이가', '고양이들', '고양이들은']],
  ])('finds %j with particles behind it', (word, forms) => {
    expect(forms.map(oneSpelling)).toEqual(forms.map(() => word));
    expect(oneSpelling(word)).toBe(word);
  });

  it.each(['나이', '가을', '마을', '사과', '작가', '휴가', '음악가', '어머니', '서울', '종로', '한국어'])(
    'leaves %j whole, which ends in no particle',
    (word) => {
      expect(oneSpelling(word)).toBe(word);
    },
  );

  it.each([
    ['القاهرة', 'القاهره'],
    ['مصطفى', 'مصطفي'],
    ['کتابی', 'كتابي'],
    ['می\u200Cخواهم', 'ميخواهم'],
    ['हिन्दी', 'हिंदी'],
    ['चम्पा', 'चंपा'],
    ['चाँद', 'चांद'],
    ['क्\u200Dष', 'क्ष'],
  ])('reads %j as %j', (word, other) => {
    expect(oneSpelling(word)).toBe(oneSpelling(other));
  });

  it.each(['cafe', 'наша', 'जन्म', 'मानना', 'سئل', 'が', 'ข้าว', '北京', '서울2024에'])('leaves %j as it is', (word) => {
    expect(oneSpelling(word)).toBe(word);
  });
});
