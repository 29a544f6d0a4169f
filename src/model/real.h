/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_REAL_H
#define MODEL_REAL_H

#define REAL_SIZE 40

/* The shortest text of 15 to 17 digits that reads back as the same number: 0.3, 1, 1e+20. `number` is finite; the
 * locale is the caller's to mind. */
void real_shortest(double number, char text[REAL_SIZE]);
/* The same in any locale, and always with a point or an exponent: 0.3, 1.0, 1e+20. */
void real_format(double number, char text[REAL_SIZE]);
/* As the mongo shell writes a double: 16 digits, and ".0" where there is neither '.', 'E' nor 'N' in them. */
void real_format_shell(double number, char text[REAL_SIZE]);
/* Writes the reals of a JSON text as above, in place: none becomes longer. Everything else stays as it is. */
void real_shorten_json(char *json);

#endif
